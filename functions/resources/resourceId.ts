import * as z from "zod";
import { notFound } from "../problem.ts";

/** The id of a stored resource. Ids are given by the organisation's core system. */
export const Id = z.int().positive();

/**
 * An id in a path: a canonical positive integer up to 2^53 − 1. Any other text cannot be the id of anything, so the error is
 * the one that an unknown id gets.
 *
 * @param resource what the id is of, in the words of the 404: `event`.
 */
export function resourceId(resource: string) {
  const noSuch = { error: notFound(resource).message };
  return z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/, noSuch)
    .transform(Number)
    .pipe(z.int(noSuch))
    .meta({ description: `Id of the ${resource}.`, minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
}
