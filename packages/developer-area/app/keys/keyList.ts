import type { ApiKey } from "../api/types.ts";

/** In the address. */
export interface KeyFilters {
  [name: string]: string;
  search: string;
  /** Empty: keys with any scopes. */
  scope: string;
  /** "all", or a key's. */
  status: string;
  /** A column, after "-" if descending. */
  sort: string;
  page: string;
}

export const initialFilters: KeyFilters = { search: "", scope: "", status: "active", sort: "-created", page: "1" };

/** Matches every key. */
export const withoutFilter = { search: "", scope: "", status: "all", page: "1" };

export const rowsPerPage = 50;

export function matches({ name, prefix, scopes, status }: ApiKey, filters: KeyFilters): boolean {
  const sought = plain(filters.search);
  return (
    (filters.status === "all" || status === filters.status) &&
    (filters.scope === "" || scopes.some((scope) => scope === filters.scope)) &&
    (plain(name).includes(sought) || plain(prefix).includes(sought))
  );
}

/** Without case, accents, joiners and white space at the ends. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\u200C\u200D]/gu, "")
    .toLowerCase()
    .trim();
}

const byName = new Intl.Collator("en-GB", { numeric: true });

const comparisons: Record<string, (left: ApiKey, right: ApiKey) => number> = {
  name: (left, right) => byName.compare(left.name, right.name),
  created: (left, right) => instant(left.created) - instant(right.created),
  last_used: (left, right) => instant(left.last_used) - instant(right.last_used),
  status: (left, right) => byName.compare(left.status, right.status),
};

/** A stable sort. Keys that were never used compare as older than every use. */
export function sortKeys(keys: ApiKey[], sort: string): ApiKey[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  const comparison = comparisons[sort.replace("-", "")];
  return comparison ? keys.toSorted((left, right) => sign * comparison(left, right)) : keys;
}

function instant(text: string | null): number {
  return text === null ? 0 : Date.parse(text);
}
