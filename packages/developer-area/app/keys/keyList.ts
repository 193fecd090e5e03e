import type { ApiKey } from "../api/types.ts";
import { plain } from "./keyRules.ts";

/** `scope`: empty for any. `status`: "all", or a key's. `sort`: a column, after "-" if descending. */
export const initialFilters = { search: "", scope: "", status: "active", sort: "-created" };

export type KeyFilters = typeof initialFilters;

export function matches({ name, prefix, scopes, status }: ApiKey, filters: KeyFilters): boolean {
  const sought = plain(filters.search);
  return (
    (filters.status === "all" || status === filters.status) &&
    (filters.scope === "" || scopes.some((scope) => scope === filters.scope)) &&
    (plain(name).includes(sought) || plain(prefix).includes(sought))
  );
}

const byName = new Intl.Collator("en-GB", { numeric: true });

const comparisons: Record<string, (left: ApiKey, right: ApiKey) => number> = {
  name: (left, right) => byName.compare(left.name, right.name),
  created: (left, right) => instant(left.created) - instant(right.created),
  last_used: (left, right) => instant(left.last_used) - instant(right.last_used),
  status: (left, right) => byName.compare(left.status, right.status),
};

/** A stable sort. A key that was never used sorts before every use. */
export function sortKeys(keys: ApiKey[], sort: string): ApiKey[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  const comparison = comparisons[sort.replace("-", "")];
  return comparison ? keys.toSorted((left, right) => sign * comparison(left, right)) : keys;
}

function instant(text: string | null): number {
  return text === null ? 0 : Date.parse(text);
}
