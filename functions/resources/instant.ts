import * as z from "zod";

/**
 * Milliseconds since 1970 UTC of an ISO 8601 text. One without an offset counts as UTC, a date alone as its midnight.
 */
export function instantMs(text: string): number {
  const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const isDateAlone = text.length === "YYYY-MM-DD".length;
  return Date.parse(hasOffset || isDateAlone ? text : `${text}Z`);
}

/** Whether the instant falls into a year of four digits in UTC, so that its ISO text sorts as the instant does. */
function hasFourDigitYear(text: string): boolean {
  const ms = instantMs(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().length === "YYYY-MM-DDTHH:mm:ss.sssZ".length;
}

/** An ISO 8601 date, or date and time with or without an offset, kept and served exactly as its source wrote it. */
export const Instant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "Must be an ISO 8601 date, or date and time.",
  })
  .refine(hasFourDigitYear, "Must be within the years 0000 to 9999 in UTC.");
