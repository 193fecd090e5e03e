import * as z from "zod";

/**
 * An ISO 8601 text as milliseconds since 1970 UTC. Without an offset it counts as UTC, a date alone as midnight UTC.
 */
export function instantMs(text: string): number {
  const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const isDateAlone = text.length === "YYYY-MM-DD".length;
  return Date.parse(hasOffset || isDateAlone ? text : `${text}Z`);
}

/** Whether the year in UTC has four digits, so that ISO texts sort by time. */
function hasFourDigitYear(text: string): boolean {
  const ms = instantMs(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().length === "YYYY-MM-DDTHH:mm:ss.sssZ".length;
}

/** An ISO 8601 date, or date and time with or without an offset, stored and served exactly as its source wrote it. */
export const Instant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "Must be an ISO 8601 date, or date and time.",
  })
  .refine(hasFourDigitYear, "Must be within the years 0000 to 9999 in UTC.");

/** A time by this service's clock, always in UTC with milliseconds. */
export const ServiceTime = z.iso.datetime();

/** An instant in a query, where an unencoded + arrives as a space. Some generated clients write offsets without a colon. */
export const InstantParameter = z
  .string()
  .refine((text) => !/\d \d\d:?\d\d$/.test(text), { error: "Encode + as %2B.", abort: true })
  .overwrite((text) => text.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
  .pipe(Instant)
  .meta({ format: "date-time" });
