import type { Activity } from "../api/types.ts";
import { plain } from "../keys/keyList.ts";

/** Empty texts match everything. */
interface ActivityFilters {
  [name: string]: string;
  /** A part of a key's name or prefix, or of a webhook's URL. */
  subject: string;
  person: string;
  action: string;
  /** The first and the last day, in the person's time zone: `2026-11-25`. */
  from: string;
  to: string;
}

export const everything: ActivityFilters = { subject: "", person: "", action: "", from: "", to: "" };

export function isActive({ subject, ...others }: ActivityFilters): boolean {
  return subject.trim() !== "" || Object.values(others).some((text) => text !== "");
}

/** The day of an instant, in the person's time zone. */
function dayOf(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DD".length);
}

export function matches(entry: Activity, { subject, person, action, from, to }: ActivityFilters): boolean {
  const sought = plain(subject);
  const day = dayOf(entry.time);
  return (
    from <= day &&
    (to === "" || day <= to) &&
    [entry.key_name, entry.key_prefix, entry.url].some((text) => text !== null && plain(text).includes(sought)) &&
    (person === "" || entry.actor === person) &&
    (action === "" || entry.action === action)
  );
}

const columns = [
  ...(["time", "kind", "action", "actor", "key_id", "key_name", "key_prefix"] as const),
  ...(["former_name", "scopes", "revokes_at", "webhook_id", "url"] as const),
];

/** The entries as CSV (RFC 4180), with the byte-order mark without which Excel takes the text for Windows-1252. */
export function activityCsv(entries: Activity[]): string {
  const rows = entries.map((entry) => columns.map((column) => cell(entry[column])).join(","));
  return `\uFEFF${[columns.join(","), ...rows, ""].join("\r\n")}`;
}

function cell(value: string | string[] | null): string {
  const text = [value ?? []].flat().join(" ");
  // Spreadsheets would run these as formulas.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Browsers read the file some time after the click. */
const readMs = 60_000;

/** Lets the browser save a text as a file. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), readMs);
}
