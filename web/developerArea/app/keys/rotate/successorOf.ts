import type { ApiKey } from "../../api/apiKey.ts";

/** The newest active key that replaces this one, from what the API stores, so that a rotation survives a reload. */
export function successorOf(keys: ApiKey[], { id }: ApiKey): ApiKey | null {
  // The newest comes first in the list.
  return keys.find(({ status, replaces }) => status === "active" && replaces === id) ?? null;
}
