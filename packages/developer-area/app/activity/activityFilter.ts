import type { Activity, ApiKey } from "../api/types.ts";
import { plain } from "../keys/keyList.ts";

/** An entry of the API, or one that {@link withEffects} derives. */
export type Entry = Omit<Activity, "action"> & { action: Activity["action"] | "revocation_took_effect" };

/** Empty texts match everything. */
interface ActivityFilters {
  [name: string]: string;
  /** A part of a key's name or prefix, or of a webhook's URL. */
  subject: string;
  /** "api_key" or "webhook". */
  kind: string;
  person: string;
  action: string;
  /** The first and the last day, in the person's time zone: `2026-11-25`. */
  from: string;
  to: string;
}

export const everything: ActivityFilters = { subject: "", kind: "", person: "", action: "", from: "", to: "" };

export function isActive({ subject, ...others }: ActivityFilters): boolean {
  return subject.trim() !== "" || Object.values(others).some((text) => text !== "");
}

/**
 * The entries, latest first, with one for each planned revocation that took effect: the API records the plan, and when the key ended.
 */
export function withEffects(entries: Activity[], keys: ApiKey[]): Entry[] {
  const ended = new Map(keys.map(({ id, revoked }) => [id, revoked]));
  const effects = new Map<string, Entry>();
  for (const plan of entries) {
    const { id, key_id, revokes_at: time } = plan;
    if (key_id === null || time === null || ended.get(key_id) !== time || effects.has(key_id)) continue;
    const nothingElse = { former_name: null, scopes: null, revokes_at: null };
    effects.set(key_id, { ...plan, ...nothingElse, id: `${id} effect`, action: "revocation_took_effect", time });
  }
  return [...effects.values(), ...entries].toSorted((one, other) => Date.parse(other.time) - Date.parse(one.time));
}

/** Whether a key ended after the first of these entries, and none says how: its plan is older. */
export function lacksPlan(entries: Activity[], keys: ApiKey[]): boolean {
  const since = entries.at(-1)?.time ?? "";
  const known = new Set(
    entries.flatMap(({ key_id, time, revokes_at }) => [`${key_id} ${time}`, `${key_id} ${revokes_at}`]),
  );
  return keys.some(({ id, revoked }) => revoked !== null && revoked >= since && !known.has(`${id} ${revoked}`));
}

/** The time in the person's time zone, with its offset: `2026-11-25T11:00:00.000+01:00`. */
export function localTime(instant: string): string {
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  const [, hours, minutes] = /GMT([+-]..)(..)/.exec(time.toTimeString()) ?? [];
  return local.replace("Z", `${hours}:${minutes}`);
}

export function matches(entry: Entry, { subject, kind, person, action, from, to }: ActivityFilters): boolean {
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
  ...(["former_name", "scopes", "revokes_at", "webhook_id", "url"] as const),
];

/** The entries as CSV (RFC 4180), with the byte-order mark without which Excel takes the text for Windows-1252. */
export function activityCsv(entries: Entry[]): string {
  const rows = entries.map(({ time, revokes_at, ...entry }) => {
    const row = { ...entry, time: localTime(time), revokes_at: revokes_at && localTime(revokes_at) };
    return columns.map((column) => cell(row[column])).join(",");
  });
  return `\uFEFF${[columns.join(","), ...rows, ""].join("\r\n")}`;
}

function cell(value: string | string[] | null): string {
  const text = [value ?? []].flat().join(" ");
  // Spreadsheets would run these as formulas.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
