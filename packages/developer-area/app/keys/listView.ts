import type { ApiKey } from "../api/types.ts";

export type StatusFilterValue = "all" | ApiKey["status"];

/** What the list shows. It outlives the list, so that a person finds it as it was when they return from a key's page. */
export interface ListView {
  search: string;
  /** Empty: keys with any scopes. */
  scope: string;
  status: StatusFilterValue;
  sorting: Sorting;
  /** From 0. */
  page: number;
}

export const initialView: ListView = {
  search: "",
  scope: "",
  status: "active",
  sorting: { column: "created", descending: true },
  page: 0,
};

/** Every key matches this. */
export const withoutFilter = { search: "", scope: "", status: "all", page: 0 } as const;

export const rowsPerPage = 50;

export function matches({ name, prefix, scopes, status }: ApiKey, view: ListView): boolean {
  const sought = plain(view.search);
  return (
    (view.status === "all" || status === view.status) &&
    (view.scope === "" || scopes.some((scope) => scope === view.scope)) &&
    (plain(name).includes(sought) || plain(prefix).includes(sought))
  );
}

/** Without case, accents and white space at the ends. */
export function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

export type SortColumn = "name" | "created" | "last_used" | "status";
export interface Sorting {
  column: SortColumn;
  descending: boolean;
}

const byName = new Intl.Collator("en-GB", { numeric: true });

const comparisons: Record<SortColumn, (left: ApiKey, right: ApiKey) => number> = {
  name: (left, right) => byName.compare(left.name, right.name),
  created: (left, right) => instant(left.created) - instant(right.created),
  last_used: (left, right) => instant(left.last_used) - instant(right.last_used),
  status: (left, right) => byName.compare(left.status, right.status),
};

/** A stable sort. Keys that were never used compare as older than every use. */
export function sortKeys(keys: ApiKey[], { column, descending }: Sorting): ApiKey[] {
  const sign = descending ? -1 : 1;
  return keys.toSorted((left, right) => sign * comparisons[column](left, right));
}

function instant(text: string | null): number {
  return text === null ? 0 : Date.parse(text);
}
