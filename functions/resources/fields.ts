import * as z from "zod";

/**
 * A text from a client.
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
    .meta({ maxLength: maximumLength });
}

/** Counts Unicode characters. */
export function hasAtMost(maximumLength: number, text: string): boolean {
  return text.length <= maximumLength || [...text].length <= maximumLength;
}

export function nullableText(minimumLength: 0 | 1, maximumLength: number) {
  return text(minimumLength, maximumLength, "Must be a string or null.").nullable();
}

/** An amount of money in the smallest unit of its currency. */
export const Pence = z.int();

/** Three capital letters, as in ISO 4217. The list of codes changes, and old records keep theirs. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, "Must be three capital letters, as in ISO 4217.");

/** The metadata of a time that an organisation's system wrote. */
export function timeOf(description: string) {
  return { description: `${description} Without an offset, it is the local time at the event.` };
}

/** The id of a stored resource, assigned by the organisation's core system. */
export const Id = z.int().positive();

/**
 * The text of an id: a canonical positive integer up to 2^53 − 1. It has no sign, space, leading zero or exponent, so that each id
 * has exactly one text.
 * @param error the message for any other text.
 */
export function idText(error?: string) {
  const text = z.string().regex(/^[1-9][0-9]{0,15}$/, error);
  return z.codec(text, z.int(error), { decode: Number, encode: String });
}

/**
 * The first example in a schema's metadata, which the OpenAPI document shows.
 * @param owner what the error names, besides the field.
 * @throws Error if the schema has no example or its example is invalid.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema, owner?: string): z.output<Schema> {
  const { id = "a schema", examples } = schema.meta() ?? {};
  const name = owner === undefined ? id : `${owner} (${id})`;
  if (!Array.isArray(examples) || examples.length === 0) throw new Error(`The example of ${name} is missing.`);
  const { success, data, error } = schema.safeParse(examples[0]);
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new Error(`The example of ${name} is invalid. ${problems.join("; ")}.`);
}
