import * as z from "zod";
import type { Item } from "../table/item.ts";
import { type SummaryRow, summaryRowOf } from "../table/itemKeys.ts";
import { type CounterName, type Counters, type CurrencyName, counterNames, countersIn } from "./counters.ts";

/**
 * A row has the counters of ten ticket categories with successive ids. It then has at most about 1 KB, for which DynamoDB charges one write unit, and
 * an event's categories, which usually have such ids, share writes and reads.
 */
const categoriesInBlock = 10;

/** The attribute of a counter: `gross`, or `3#gross` of the block's category whose id ends in 3. */
function attributeOf(name: CounterName, lastDigit?: number): string {
  return lastDigit === undefined ? name : `${lastDigit}#${name}`;
}

/** A row's counters by attribute. */
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
  const lastDigit = id === undefined ? undefined : id % categoriesInBlock;
  return Object.fromEntries(
    countersIn(counters).map(([name, value]) => [attributeOf(name, lastDigit), factor * value]),
  );
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

const lastDigits = Array.from({ length: categoriesInBlock }, (_, digit) => digit);

/** Looked up instead of parsed, because a summary can have 150,000 counters. */
const countersByAttribute = new Map(
  [undefined, ...lastDigits].flatMap((lastDigit) =>
    counterNames.map((name) => [attributeOf(name, lastDigit), { lastDigit, name }]),
  ),
);

const Stored = z.object({ SK: z.string(), date_generated: z.string() });

/** The attributes of a row that say how many people its categories' tickets admit, and those that every row has. */
export const extraPeopleAttributes = [
  "date_generated",
  ...lastDigits.map((lastDigit) => attributeOf("extra_people", lastDigit)),
];

/** The counters in a stored row, ordered by category. @throws Error if it is damaged. */
export function countersOfRow(item: Item): CategoryCounters[] {
  const { SK, date_generated } = Stored.parse(item);
  const { block = 0, currency } = summaryRowOf(SK);
  const byLastDigit = new Map<number | undefined, Counters>();
  for (const attribute in item) {
    const counter = countersByAttribute.get(attribute);
    if (!counter) continue;
    const { [attribute]: value } = item;
    if (!Number.isSafeInteger(value)) throw new Error(`The counter ${attribute} is not an integer.`);
    const counters = byLastDigit.get(counter.lastDigit) ?? {};
    counters[counter.name] = value as number;
    byLastDigit.set(counter.lastDigit, counters);
  }
  return [...byLastDigit]
    .sort(([one = 0], [other = 0]) => one - other)
    .map(([lastDigit, counters]) => {
      const ticket_category_id = lastDigit === undefined ? undefined : block * categoriesInBlock + lastDigit;
      return { ticket_category_id, currency, counters, date_generated };
    });
}
