import type { ApiKey, Scope } from "../api/types.ts";
import { relativeTime } from "../parts/relativeTime.ts";
import { timeOf, type When } from "../parts/when.ts";
import { hasInvisible, longestName, normalisedName } from "./keyName.ts";

/** The scopes in words, with what each allows and what stops when a key is revoked. */
export const scopes: { scope: Scope; title: string; short: string; allows: string; stops: string }[] = [
  {
    scope: "read",
    title: "Read everything",
    short: "Read",
    allows: "Events, dates, orders, tickets, payments, discounts, attendees and summaries. Every key has it.",
    stops: "Reading events, dates, orders, tickets, payments, discounts, attendees and summaries.",
  },
  {
    scope: "write:balance_payments",
    title: "Record balance payments",
    short: "Balance payments",
    allows: "Record external balance payments and refunds against an event.",
    stops: "Recording external balance payments and refunds.",
  },
  {
    scope: "write:orders",
    title: "Update order notes",
    short: "Order notes",
    allows: "Update the back-office admin note of an order.",
    stops: "Updating the admin notes of orders.",
  },
];

/** The key's scopes, in the order of the list above. A scope that this page does not know keeps its technical name. */
export function scopesOf(names: string[]): { scope: string; title: string; short: string }[] {
  const known = scopes.filter(({ scope }) => names.includes(scope));
  const unknown = names.filter((name) => !known.some(({ scope }) => scope === name));
  return [...known, ...unknown.map((scope) => ({ scope, title: scope, short: scope }))];
}

/** What the scopes allow, in a sentence. */
export function titlesOf(scopes: string[]): string {
  return scopesOf(scopes)
    .map(({ title }) => title.toLowerCase())
    .join(", ");
}

const dayMs = 24 * 60 * 60 * 1000;

/** The choices of a new key, by how long it works. */
export const lifetimes = [
  { value: "never", label: "Until somebody revokes it" },
  { value: String(dayMs), label: "24 hours" },
  { value: String(7 * dayMs), label: "7 days" },
  { value: String(30 * dayMs), label: "30 days" },
  { value: String(90 * dayMs), label: "90 days" },
  { value: String(365 * dayMs), label: "1 year" },
  { value: "at", label: "Until a date and time" },
];

/** When the revocation of a key can be planned for. */
export const plans = [
  { value: String(dayMs), label: "In 24 hours" },
  { value: String(7 * dayMs), label: "In 7 days" },
  { value: "at", label: "At a date and time" },
];

/** When a key can be revoked. */
export const moments = [{ value: "now", label: "Now" }, ...plans];

/** As the API's limit. */
const maximumYears = 5;

/** When a key is to be revoked, as {@link timeOf}. */
export function revocationTimeOf(when: When): ReturnType<typeof timeOf> {
  const chosen = timeOf(when);
  if (when.choice !== "at" || chosen.time === undefined) return chosen;
  const latest = new Date();
  if (new Date(chosen.time) <= latest) return { problem: "Must be in the future." };
  latest.setFullYear(latest.getFullYear() + maximumYears);
  return new Date(chosen.time) < latest ? chosen : { problem: `Must be within ${maximumYears} years.` };
}

/** Why the API would refuse the name. `atOnce` if the person cannot correct it by typing on. */
export function nameProblem(typed: string): { text: string; atOnce: boolean } | null {
  const name = normalisedName(typed);
  if (hasInvisible(name)) {
    // After a joiner, a letter may follow.
    return {
      text: "Must not contain invisible characters.",
      atOnce: hasInvisible(name.replace(/[\u200C\u200D]$/, "")),
    };
  }
  if (name === "") return { text: "Give the key a name.", atOnce: false };
  if ([...name].length > longestName) return { text: `At most ${longestName} characters.`, atOnce: false };
  return null;
}

/** The name of a key's successor: "Website", "Website (2)", "Website (3)". */
export function successorName(name: string): string {
  const [, base = name, number = "1"] = /^(.*) \((\d{1,3})\)$/.exec(name) ?? [];
  const suffix = ` (${Number(number) + 1})`;
  return [...base].slice(0, longestName - suffix.length).join("") + suffix;
}

/** The newest active key that replaces this one, from what the API stores, so that a rotation survives a reload. */
export function successorOf(keys: ApiKey[], { id }: ApiKey): ApiKey | null {
  // The newest comes first in the list.
  return keys.find(({ status, replaces }) => status === "active" && replaces === id) ?? null;
}

/** The ids of the active keys whose names people cannot tell apart. */
export function namesakesIn(keys: Pick<ApiKey, "id" | "name" | "status">[]): Set<string> {
  const active = keys.filter(({ status }) => status === "active");
  const names = active.map(({ name }) => typeable(name));
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return new Set(active.flatMap(({ id }, index) => (repeated.has(names[index] ?? "") ? id : [])));
}

/** What a key is called beside the others: its name, with its prefix if another active key has that name, too. */
export function calledIn(keys: ApiKey[]): (key: ApiKey) => string {
  const namesakes = namesakesIn(keys);
  return ({ id, name, prefix }) => (namesakes.has(id) ? `${name}, ${prefix}` : name);
}

/** A key used within this time counts as in use: most integrations send requests every few minutes. */
const inUseMs = 15 * 60 * 1000;

interface Used {
  last_used: string | null;
}

/** Whether the old key of a rotation can be revoked, with the reason. */
export function usageVerdict(old: Used, successor: Used, now: Date): { safe: boolean; text: string } {
  if (old.last_used === null) return { safe: true, text: "The old key has never been used: nothing depends on it." };
  const lastUse = new Date(old.last_used);
  const ago = relativeTime(lastUse, now);
  if (now.getTime() - lastUse.getTime() <= inUseMs) {
    return { safe: false, text: `The old key was used ${ago}, so a program probably still has it.` };
  }
  if (successor.last_used === null) {
    return { safe: false, text: `The new key has not been used yet. The old key was last used ${ago}.` };
  }
  return {
    safe: true,
    text: `The new key is in use, and the old key was last used ${ago}. If your integration sends requests more often than that, it has switched.`,
  };
}

export function usedWithinADay({ last_used }: { last_used: string | null }, now: Date): boolean {
  return last_used !== null && now.getTime() - Date.parse(last_used) <= dayMs;
}

/** Whether the typed text confirms the revocation: the key's prefix, or its name as far as a person can see and type it, in any case. */
export function confirms(typed: string, { name, prefix }: { name: string; prefix: string }): boolean {
  return [prefix, name].some((text) => isTypeable(text) && typeable(typed) === typeable(text));
}

/** False for a name of only invisible characters. */
export function isTypeable(name: string): boolean {
  return typeable(name) !== "";
}

function typeable(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\s/g, " ")
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\p{Dash}/gu, "-")
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟″]/g, '"')
    .replaceAll(/ +/g, " ")
    .trim()
    .toLowerCase();
}
