import * as z from "zod";
import { notFound } from "../problem.ts";

/** The id of a stored resource. Ids are given by the organisation's core system. */
export const Id = z.int().positive();

/**
 * The text of an id: a canonical positive integer up to 2^53 − 1, without a sign, a space, a leading zero or an exponent, so
 * that no two texts are one id.
 *
 * @param error what is wrong with any other text.
 */
export function idText(error?: string) {
  const text = z.string().regex(/^[1-9][0-9]{0,15}$/, error);
  return z.codec(text, z.int(error), { decode: Number, encode: String });
}

/**
 * An id in a path. What is not the text of one cannot be the id of anything, so the error is the one that an unknown id gets.
 *
 * @param resource what the id is of, in the words of the 404: `event`.
 */
export function resourceId(resource: string) {
  return idText(notFound(resource).message).meta({
    description: `Id of the ${resource}.`,
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  });
}
