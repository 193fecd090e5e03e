import { randomBytes } from "node:crypto";

/** 36^9 ms last beyond the year 5000. */
const timeLength = 9;
export const timeOrderedIdPattern = new RegExp(`^[0-9a-z]{${timeLength}}[0-9a-f]{12}$`);

/** Ids sort by creation time; random bits keep those of one millisecond distinct. @param instant the creation time, ISO 8601 in UTC. */
export function timeOrderedId(instant: string): string {
  return `${Date.parse(instant).toString(36).padStart(timeLength, "0")}${randomBytes(6).toString("hex")}`;
}

export function isTimeOrderedId(text: string): boolean {
  return timeOrderedIdPattern.test(text);
}
