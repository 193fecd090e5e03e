import type { ApiKey, Scope } from "../api/types.ts";

/** The scopes in words, with what each allows and what stops when a key is revoked. */
export const scopes: { scope: Scope; title: string; short: string; allows: string; stops: string }[] = [
  {
    scope: "read",
    title: "Read everything",
    short: "Read",
    allows: "Events, dates, orders, tickets, payments, discounts, attendees and summaries. Every key has this scope.",
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

export function titlesOf(scopes: string[]): string {
  return scopesOf(scopes)
    .map(({ title }) => title.toLowerCase())
    .join(", ");
}

/** The API checks the other rules for names. */
export function nameProblem(name: string): string | null {
  return name.trim() === "" ? "Give the key a name." : null;
}

/** The ids of the active keys that share a name, as people see it. */
export function namesakesIn(keys: Pick<ApiKey, "id" | "name" | "status">[]): Set<string> {
  const active = keys.filter(({ status }) => status === "active");
  const names = active.map(({ name }) => plain(name));
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return new Set(active.flatMap(({ id }, index) => (repeated.has(names[index] ?? "") ? id : [])));
}

/** Names each key: its name, with its prefix if another active key has that name. */
export function calledIn(keys: ApiKey[]): (key: ApiKey) => string {
  const namesakes = namesakesIn(keys);
  return ({ id, name, prefix }) => (namesakes.has(id) ? `${name}, ${prefix}` : name);
}

/** True if the typed text is the key's prefix, or its name. */
export function confirms(typed: string, { name, prefix }: { name: string; prefix: string }): boolean {
  const text = plain(typed);
  return text !== "" && [prefix, name].some((one) => plain(one) === text);
}

/** For comparisons: without case, accents, invisible characters and differences of white space. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase()
    .trim();
}
