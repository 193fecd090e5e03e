import * as z from "zod";

/**
 * A text from a client.
 *
 * @param minimumLength 0 or 1.
 * @param maximumLength in Unicode characters, as JSON Schema counts them.
 * @param wrongType the error for a value that is not a string.
 */
export function text(minimumLength: 0 | 1, maximumLength: number, wrongType = "Must be a string.") {
  return z
    .string(wrongType)
    .min(minimumLength, "Must not be empty.")
    .refine((value) => hasAtMost(maximumLength, value), {
      error: `Must have at most ${maximumLength} characters.`,
      abort: true,
    })
    .refine((value) => value.isWellFormed(), "Must be valid Unicode.")
    .meta({ maxLength: maximumLength });
}

/** Whether a text has at most this number of Unicode characters. */
export function hasAtMost(maximumLength: number, text: string): boolean {
  return text.length <= maximumLength || [...text].length <= maximumLength;
}

export function nullableText(minimumLength: 0 | 1, maximumLength: number) {
  return text(minimumLength, maximumLength, "Must be a string or null.").nullable();
}
