import { randomInt } from "node:crypto";

/** The time at which ids start. */
const epochMs = Date.UTC(2025, 0, 1);
/** With 41 bits of milliseconds before them, ids fit into 53 bits until the year 2094. */
const randomBits = 12;

/**
 * A new integer id for a resource that this service creates: the time in milliseconds, then random bits. Later ids are greater. Two
 * ids of one millisecond can be equal, so the write must check that the id is free.
 */
export function uniqueInteger(nowMs: number): number {
  return (nowMs - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);
}
