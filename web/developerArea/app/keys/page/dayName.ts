const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A day in UTC: "4 Feb". */
export function dayName(date: string): string {
  return format.format(new Date(date));
}
