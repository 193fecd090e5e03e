const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const format = new Intl.RelativeTimeFormat("en-GB", { numeric: "always" });

/** The time until an instant, in whole units: "in 3 days". Less than a minute is "in less than a minute". */
export function timeUntil(instant: Date, now: Date): string {
  return wholeUnits(instant.getTime() - now.getTime(), 1) ?? "in less than a minute";
}

/** The age of an instant: "3 minutes ago". Less than a minute, or a time in the future, is "just now". */
export function relativeTime(instant: Date, now: Date): string {
  return wholeUnits(now.getTime() - instant.getTime(), -1) ?? "just now";
}

const dayMs = 86_400_000;

/** True if a system probably still depends on what was last used at this time. */
export function isWithinADay(instant: string | null, now: Date): boolean {
  return instant !== null && now.getTime() - Date.parse(instant) <= dayMs;
}

function wholeUnits(milliseconds: number, sign: 1 | -1): string | null {
  const seconds = Math.floor(milliseconds / 1000);
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? [];
  return unit && length ? format.format(sign * Math.floor(seconds / length), unit) : null;
}

/** The time in the person's time zone, with its offset: `2026-11-25T11:00:00.000+01:00`. */
export function localTime(instant: string): string {
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  const [, hours, minutes] = /GMT([+-]..)(..)/.exec(time.toTimeString()) ?? [];
  return local.replace("Z", `${hours}:${minutes}`);
}
