import { randomInt } from "node:crypto";

/** The first moment that these ids can tell. */
const epochMs = Date.UTC(2025, 0, 1);
/** 41 bits of milliseconds before them make 53: they last until the year 2094. */
const randomBits = 12;

/**
 * A new integer id of something that this service makes: the time, and random bits for what is made within one millisecond. Later ones
 * are greater. Two may still be alike, so whoever writes one must make sure that it is free.
 */
export function uniqueInteger(nowMs: number): number {
  return (nowMs - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);
}
