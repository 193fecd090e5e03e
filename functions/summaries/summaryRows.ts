import * as z from "zod";
import type { Item } from "../table/item.ts";
import { type SummaryRow, summaryRowOf } from "../table/itemKeys.ts";
import { Counters, type CurrencyName, countersIn } from "./counters.ts";

/**
 * A row has the counters of ten ticket categories with successive ids. It then has at most about 1 KB, for which DynamoDB charges one write unit, and
 * an event's categories, which usually have such ids, share writes and reads.
 */
const categoriesInBlock = 10;

/** A row's counters by attribute: `gross`, or `3#gross` of the block's category whose id ends in 3. */
export const RowCounters = z.record(z.string(), z.int());
export type RowCounters = z.infer<typeof RowCounters>;

interface Counted {
  ticket_category_id?: number | undefined;
  currency?: CurrencyName | undefined;
}

export function rowOf({ ticket_category_id: id, currency }: Counted): SummaryRow {
  return { block: id === undefined ? undefined : Math.floor(id / categoriesInBlock), currency };
}

/** @param factor the number of items that count the same. */
export function rowCounters({ ticket_category_id: id }: Counted, counters: Counters, factor: number): RowCounters {
  const prefix = id === undefined ? "" : `${id % categoriesInBlock}#`;
  return Object.fromEntries(countersIn(counters).map(([name, value]) => [prefix + name, factor * value]));
}

/** Leaves out counters that become 0. */
export function addRowCounters(sum: RowCounters, counters: RowCounters, factor: 1 | -1): RowCounters {
  const added = { ...sum };
  for (const [name, value] of Object.entries(counters)) added[name] = (added[name] ?? 0) + factor * value;
  return Object.fromEntries(Object.entries(added).filter(([, value]) => value !== 0));
}

/** The counters of a ticket category, or of what belongs to none, in one currency. */
export interface CategoryCounters {
  ticket_category_id: number | undefined;
  currency: CurrencyName;
  counters: Counters;
  date_generated: string;
}

const Stored = z.object({ SK: z.string(), date_generated: z.string() });

/** The counters in a stored row, ordered by category. @throws Error if it is damaged. */
export function countersOfRow(item: Item): CategoryCounters[] {
  const { SK, date_generated } = Stored.parse(item);
  const { block, currency } = summaryRowOf(SK);
  const byCategory = new Map<number | undefined, Item>();
  for (const [attribute, value] of Object.entries(item)) {
    const [, last, name = ""] = /^(?:(\d)#)?(\w+)$/.exec(attribute) ?? [];
    const id = last === undefined ? undefined : (block ?? 0) * categoriesInBlock + Number(last);
    byCategory.set(id, { ...byCategory.get(id), [name]: value });
  }
  return [...byCategory]
    .sort(([one = 0], [other = 0]) => one - other)
    .map(([ticket_category_id, counters]) => {
      return { ticket_category_id, currency, counters: Counters.parse(counters), date_generated };
    });
}
