import type { ApiKey } from "../../api/apiKey.ts";

/** The id of the successor by the id of the key that it replaces, while both are active. */
export type Rotations = Record<string, string>;

/** The rotations under way, from what the API stores, so that they survive a reload. */
export function rotationsOf(keys: ApiKey[]): Rotations {
  const active = new Set(keys.filter(({ status }) => status === "active").map(({ id }) => id));
  const replaced = keys.filter(({ id, replaces }) => active.has(id) && replaces !== null && active.has(replaces));
  // The newest comes first in the list, so it wins.
  return Object.fromEntries(replaced.toReversed().map(({ id, replaces }) => [replaces, id]));
}

/** The newest active key that replaces this one. */
export function successorOf(keys: ApiKey[], { id }: ApiKey): ApiKey | null {
  return keys.find(({ status, replaces }) => status === "active" && replaces === id) ?? null;
}
