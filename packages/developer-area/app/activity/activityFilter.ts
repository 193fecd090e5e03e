import type { Activity } from "../api/types.ts";
import { plain } from "../keys/keyRules.ts";
import { localTime } from "../parts/relativeTime.ts";

/**
 * Empty texts match everything. `subject`: a part of a key's name or prefix, or of a webhook's URL. `kind`: "api_key" or "webhook". `from` and
 * `to`: the first and the last day, in the person's time zone: `2026-11-25`.
 */
export const everything = { subject: "", kind: "", person: "", action: "", from: "", to: "" };

type ActivityFilters = typeof everything;

export function isActive({ subject, ...others }: ActivityFilters): boolean {
  return subject.trim() !== "" || Object.values(others).some((text) => text !== "");
}

export function matches(entry: Activity, { subject, kind, person, action, from, to }: ActivityFilters): boolean {
  const sought = plain(subject);
  const day = localTime(entry.time).slice(0, "YYYY-MM-DD".length);
  return (
    from <= day &&
    (to === "" || day <= to) &&
    [entry.key_name, entry.key_prefix, entry.url].some((text) => text !== null && plain(text).includes(sought)) &&
    (kind === "" || entry.kind === kind) &&
    (person === "" || entry.actor === person) &&
    (action === "" || entry.action === action)
  );
}

const columns = [
  ...(["time", "kind", "action", "actor", "key_id", "key_name", "key_prefix"] as const),
  ...(["former_name", "scopes", "webhook_id", "url"] as const),
];

/** The entries as CSV (RFC 4180), with the byte-order mark without which Excel takes the text for Windows-1252. */
export function activityCsv(entries: Activity[]): string {
  const rows = entries.map((entry) => {
    const row = { ...entry, time: localTime(entry.time) };
    return columns.map((column) => cell(row[column])).join(",");
  });
  return `\uFEFF${[columns.join(","), ...rows, ""].join("\r\n")}`;
}

/**
 * The beginning of a formula, also after other locales' separators: spreadsheets that read `;` as the separator ignore quotation marks within
 * a cell. Excel also runs formulas that begin with a full-width sign.
 */
const formulaStart = /(^|[;|\t\r\n])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])|^(?=[\t\r])/g;

function cell(value: string | string[] | null): string {
  const harmless = [value ?? []].flat().join(" ").replaceAll(formulaStart, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
