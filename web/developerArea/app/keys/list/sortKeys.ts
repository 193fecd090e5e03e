import type { ApiKey } from "../../api/apiKey.ts";

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
