import { randomBytes } from "node:crypto";
import * as z from "zod";
import { notFound } from "../problem.ts";

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
    .meta({ maxLength: maximumLength });
}

/** Whether a text has at most this number of Unicode characters. */
export function hasAtMost(maximumLength: number, text: string): boolean {
  return text.length <= maximumLength || [...text].length <= maximumLength;
}

export function nullableText(minimumLength: 0 | 1, maximumLength: number) {
  return text(minimumLength, maximumLength, "Must be a string or null.").nullable();
}

/** An amount of money in the smallest unit of its currency. */
export const Pence = z.int();

/**
 * Comma-separated names in a query in any order, as an array in the order of the allowed ones.
 * @param what what errors call the names.
 */
export function namesOutOf<const Name extends string>(allowed: readonly Name[], what: string) {
  const isAllowed = (text: string) => allowed.some((name) => name === text);
  const text = z
    .string()
    .refine((text) => text.split(",").every(isAllowed), `Must be comma-separated ${what} out of ${allowed.join(", ")}.`)
    .refine((text) => new Set(text.split(",")).size === text.split(",").length, "Must have each name only once.");
  return z.codec(text, z.array(z.enum(allowed)), {
    decode: (text) => allowed.filter((name) => text.split(",").includes(name)),
    encode: (names) => names.join(","),
  });
}

/** Three capital letters, as in ISO 4217. Which codes exist changes, and old records keep theirs. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, "Must be three capital letters, as in ISO 4217.");

/** The id of a stored resource, assigned by the organisation's core system. */
export const Id = z.int().positive();

/**
 * The text of an id: a canonical positive integer up to 2^53 − 1. It has no sign, space, leading zero or exponent, so that each id
 * has exactly one text.
 *
 * @param error the message for any other text.
 */
export function idText(error?: string) {
  const text = z.string().regex(/^[1-9][0-9]{0,15}$/, error);
  return z.codec(text, z.int(error), { decode: Number, encode: String });
}

/**
 * An id in a path. A malformed id cannot match anything, so it gets the error of an unknown id.
 *
 * @param resource the resource's name in the 404: `event`.
 */
export function resourceId(resource: string) {
  return idText(notFound(resource).message).meta({
    description: `Id of the ${resource}.`,
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  });
}

/** The path parameter `id`. */
export function idOf(resource: string) {
  return z.object({ id: resourceId(resource) });
}

/** 36^9 ms last beyond the year 5000. */
const timeLength = 9;
export const timeOrderedIdPattern = new RegExp(`^[0-9a-z]{${timeLength}}[0-9a-f]{12}$`);

/**
 * A new id for a resource that this service creates. Ids sort by creation time; random bits keep those of one millisecond distinct.
 * @param instant the creation time, ISO 8601 in UTC.
 */
export function timeOrderedId(instant: string): string {
  return `${Date.parse(instant).toString(36).padStart(timeLength, "0")}${randomBytes(6).toString("hex")}`;
}

export function isTimeOrderedId(text: string): boolean {
  return timeOrderedIdPattern.test(text);
}

/**
 * The path parameter `id`, if it is a time-ordered id. A malformed id cannot match anything, so it gets the error of an unknown id.
 * @param resource the resource's name in the 404: `API key`.
 */
export function timeOrderedIdOf(resource: string) {
  const id = z.string().regex(timeOrderedIdPattern, notFound(resource).message);
  return z.object({ id: id.meta({ description: `Id of the ${resource}.` }) });
}

/**
 * The first example in a schema's metadata, which the OpenAPI document shows.
 * @throws ZodError if the schema has no example or its example is invalid.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  return schema.parse(z.array(z.unknown()).nonempty().parse(schema.meta()?.examples)[0]);
}
