import { randomBytes } from "node:crypto";
import * as z from "zod";
import { notFound } from "../problem.ts";

/** 36^9 ms reach beyond the year 5000. */
const timeLength = 9;
const pattern = new RegExp(`^[0-9a-z]{${timeLength}}[0-9a-f]{12}$`);

/**
 * A new id of something that this service makes. Ids order as texts by the time of creation, and are unlike even within a millisecond.
 * @param instant when it is made, ISO 8601 in UTC.
 */
export function timeOrderedId(instant: string): string {
  return `${Date.parse(instant).toString(36).padStart(timeLength, "0")}${randomBytes(6).toString("hex")}`;
}

/** Whether a text has the form of such an id. */
export function isTimeOrderedId(text: string): boolean {
  return pattern.test(text);
}

/**
 * Such an id in a path. Any other text cannot be the id of anything, so the error is the one that an unknown id gets.
 * @param resource what the id is of, in the words of the 404.
 */
export function timeOrderedIdOf(resource: string) {
  return z
    .string()
    .regex(pattern, notFound(resource).message)
    .meta({ description: `Id of the ${resource}.` });
}
