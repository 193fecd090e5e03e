import * as z from "zod";

/** A calendar date, or a date and time in extended form. Seconds, their fraction and the offset may be missing. */
const form = /^(\d{4}-\d\d-(\d\d))(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/;

const wrongForm =
  "Must be a date, YYYY-MM-DD, or a date and time, YYYY-MM-DDThh:mm or YYYY-MM-DDThh:mm:ss, with Z, an offset such as +01:00, or neither.";
const maximumFractionDigits = 9;
const wrongFraction = `Fractions of a second have at most ${maximumFractionDigits} digits.`;
const wrongYear = "Must be within the years 0000 to 9999 in UTC.";

interface Parsed {
  /** Milliseconds since 1970 UTC, rounded down. */
  ms: number;
  /** The digits of the fraction of the second. */
  fraction: string;
}

/** The only parser of times from outside. */
function read(text: string): Parsed | { problem: string } {
  const [, date, day, hour = "00", minute = "00", second = "00", fraction = "", offset = "+00", offsetMinute = "00"] =
    form.exec(text) ?? [];
  if (date === undefined) return { problem: /^[+-]?\d{5,}-\d\d-\d\d/.test(text) ? wrongYear : wrongForm };
  if (hour > "23") return { problem: "Hours are 00 to 23. Midnight at the end of a day is 00:00 of the next day." };
  if (minute > "59") return { problem: "Minutes are 00 to 59." };
  if (second > "59") return { problem: "Seconds are 00 to 59. Leap seconds are not supported." };
  if (fraction.length > maximumFractionDigits) return { problem: wrongFraction };
  if (offset.slice(1) > "23" || offsetMinute > "59") return { problem: "Offsets are -23:59 to +23:59." };
  // Date.parse turns 30 February into 2 March.
  if (new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return { problem: "This date does not exist." };
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3) || 0}${offset}:${offsetMinute}`);
  const year = new Date(ms).getUTCFullYear();
  // Years of other lengths would not sort by time.
  return year >= 0 && year <= 9999 ? { ms, fraction } : { problem: wrongYear };
}

function isInstant(text: string): boolean {
  return "ms" in read(text);
}

const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * An {@link Instant} as milliseconds since 1970 UTC, rounded up: the first time of this service's clock that is not earlier. Without an offset it
 * counts as UTC, a date alone as midnight UTC.
 * @returns NaN for any other text.
 */
export function instantMs(text: string): number {
  const found = read(text);
  if ("problem" in found) return Number.NaN;
  return Math.min(latestMs, found.ms + (Number(found.fraction.slice(3)) > 0 ? 1 : 0));
}

/**
 * An {@link Instant} in UTC with nine digits of the second's fraction, so that the order of texts is the order of time.
 * @returns an empty string for any other text.
 */
export function sortableInstant(text: string): string {
  const found = read(text);
  if ("problem" in found) return "";
  const toSecond = new Date(found.ms).toISOString().slice(0, "2026-11-28T00:00:00".length);
  return `${toSecond}.${found.fraction.padEnd(maximumFractionDigits, "0")}Z`;
}

/** An ISO 8601 date, or date and time with or without an offset, stored and served exactly as its source wrote it. */
export const Instant = z.string(wrongForm).refine(isInstant, {
  error: ({ input }) => {
    const found = read(String(input));
    return "problem" in found ? found.problem : undefined;
  },
  abort: true,
});

/** An instant in UTC, rounded up to milliseconds, for comparison with times that this service sets. */
export const InstantInUtc = Instant.overwrite((text) => new Date(instantMs(text)).toISOString());

/** An instant in a query, where an unencoded + arrives as a space. */
export const InstantParameter = z
  .string()
  .refine((text) => !(text.includes(" ") && isInstant(text.replace(" ", "+"))), {
    error: "Encode + as %2B.",
    abort: true,
  })
  .pipe(Instant);

/** A time of this service's clock in milliseconds, as text. The texts sort by time. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time by this service's clock, always in UTC with milliseconds. */
export const ServiceTime = z.iso.datetime();
