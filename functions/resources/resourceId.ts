import * as z from "zod";
import { notFound } from "../problem.ts";

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
