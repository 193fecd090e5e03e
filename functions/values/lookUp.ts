import * as z from "zod";

/**
 * The longest text that can be looked up, in UTF-8. Percent-encoded it has up to three times as many bytes, which fit into a URL: CloudFront
 * accepts 8,192 bytes ("Quotas on CloudFront"), and API Gateway 10,240 with all headers ("Amazon API Gateway quotas").
 */
const maximumBytes = 2_048;

/** The same for a text and its other spellings: white space around it is ignored. The result is stored, so it never changes. */
export function trimmed(text: string): string {
  return text.trim();
}

/**
 * The same for upper and lower case, too, letter by letter, so that `ß` and `SS`, or `ı` and `I`, stay different. A Greek final sigma depends on
 * its neighbours. The result is stored, so it never changes.
 */
export function caseless(text: string): string {
  return text.trim().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Why nobody could look up a stored text; undefined if it can be, or if it is blank. */
export function lookUpProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > maximumBytes)
    return `Must have at most ${maximumBytes.toLocaleString("en")} bytes in UTF-8, so that it can be looked up`;
  // In a query, this character means invalid UTF-8.
  if (text.includes("\ufffd")) return "Must not contain U+FFFD, which stands for a damaged character";
  return undefined;
}

/** A text in a query that rows must have. */
export const LookUpText = z
  .string()
  .regex(/\S/, "Must not be empty.")
  .refine((text) => lookUpProblem(text) === undefined, {
    error: ({ input }) => `${lookUpProblem(String(input))}.`,
  })
  .meta({ maxLength: maximumBytes });
