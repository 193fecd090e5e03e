import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type ItemKey, itemKeys, itemTypeOf, organisationIdOf } from "../table/itemKeys.ts";
import { type TransactWrite, updateOf } from "../table/writes.ts";
import { CountedItem } from "./countedItem.ts";
import { addCounters, type Counters, inCurrency } from "./counters.ts";

/** Items of one type that count the same. */
const CountedItems = CountedItem.extend({ type: z.string(), ids: z.array(z.int()) });
type CountedItems = z.infer<typeof CountedItems>;

/**
 * The last count of an order with its tickets and payments, or of an item without an order. Stored beside the order or item. About
 * 50,000 tickets fit into DynamoDB's 400 KB if they have few different prices.
 */
const LastCounted = z.object({
  revision: z.string(),
  items: z.array(CountedItems),
  /** Deltas that did not fit into a transaction, by the summaries' partition keys. */
  left: z.record(z.string(), CountedItem.shape.counters).optional(),
});

/** Sums by the partition keys of summaries. */
type Deltas = Map<string, Counters>;

export interface Count {
  /** Stores the new count, unless another consumer has stored one since the read. */
  put: TransactWrite;
  deltas: Deltas;
  /** False if `deltas` has only as many summaries as fit into a transaction. */
  isComplete: boolean;
}

/** DynamoDB's limit for one transaction. */
const maximumWrites = 100;

/**
 * @param stored the owner's item of {@link LastCounted}, if there is one.
 * @param current what these items count with this owner now: undefined if nothing.
 * @throws ZodError if the stored item is damaged.
 */
export function countAgain(
  owner: string,
  stored: unknown,
  current: { key: ItemKey; counted: CountedItem | undefined }[],
): Count {
  const before = LastCounted.optional().parse(stored);
  const items = current.reduce((all, { key, counted }) => replaceItem(all, key, counted), before?.items ?? []);
  const all: Deltas = new Map(Object.entries(before?.left ?? {}));
  for (const [summary, counters] of totalsOf(owner, items)) addTo(all, summary, counters, 1);
  for (const [summary, counters] of totalsOf(owner, before?.items ?? [])) addTo(all, summary, counters, -1);
  const left = [...all].slice(maximumWrites - 1);
  const lastCounted: z.infer<typeof LastCounted> = {
    revision: randomUUID(),
    items,
    ...(left.length > 0 && { left: Object.fromEntries(left) }),
  };
  return {
    put: {
      put: { ...itemKeys.lastCounted(owner), ...lastCounted },
      condition: before
        ? { condition: "revision = :read", values: { ":read": before.revision } }
        : { condition: "attribute_not_exists(PK)" },
    },
    deltas: new Map([...all].slice(0, maximumWrites - 1)),
    isComplete: left.length === 0,
  };
}

function replaceItem(all: CountedItems[], { PK, SK }: ItemKey, counted: CountedItem | undefined): CountedItems[] {
  const id = Number(PK.split("#")[3]);
  const isSame = ({ type, ids, ...one }: CountedItems) => type === SK && isDeepStrictEqual(one, counted);
  const others = all.map((some) => (some.type === SK ? { ...some, ids: some.ids.filter((one) => one !== id) } : some));
  const same = others.find(isSame);
  if (same) same.ids.push(id);
  else if (counted) others.push({ type: SK, ids: [id], ...counted });
  return others.filter(({ ids }) => ids.length > 0);
}

/** Money that was received or returned counts for orders in any state, and for those that are missing. */
const movedMoney = ["net", "refunded_total"];

/** The numbers of an owner's items in each summary. If the owner itself is missing, its state is unknown, so its tickets do not count. */
function totalsOf(owner: string, items: CountedItems[]): Deltas {
  const totals: Deltas = new Map();
  const ownerType = itemTypeOf({ PK: owner, SK: "" });
  const own = items.find(({ type }) => type === ownerType);
  const isSold = own !== undefined && own.is_sold !== false;
  const organisationId = organisationIdOf(owner);
  for (const { event_id, date_id, counters, ids, currency = own?.currency ?? "" } of items) {
    const counting = Object.entries(counters)
      .filter(([name]) => isSold || movedMoney.includes(name))
      .map(([name, value]) => [name, value * ids.length]);
    const added = inCurrency(Object.fromEntries(counting), currency);
    addTo(totals, itemKeys.eventSummary(organisationId, event_id).PK, added, 1);
    if (date_id !== null) addTo(totals, itemKeys.dateSummary(organisationId, date_id).PK, added, 1);
  }
  return totals;
}

/** Leaves out counters that become 0. */
function addTo(deltas: Deltas, summary: string, counters: Counters, factor: 1 | -1): void {
  const sum = addCounters(deltas.get(summary) ?? {}, counters, factor);
  if (Object.keys(sum).length > 0) deltas.set(summary, sum);
  else deltas.delete(summary);
}

export function writesOf(counts: Count[]): TransactWrite[] {
  const sums: Deltas = new Map();
  for (const { deltas } of counts) for (const [summary, counters] of deltas) addTo(sums, summary, counters, 1);
  const date_generated = new Date().toISOString();
  const updates = [...sums].map(([PK, add]) => ({
    key: { PK, SK: itemTypeOf({ PK, SK: "" }) },
    change: updateOf({ set: { date_generated }, add }),
  }));
  return [...counts.map(({ put }) => put), ...updates];
}

/** Distributes counts over as few transactions as possible in their order. */
export function transactionsOf<One extends Count>(counts: One[]): One[][] {
  const transactions: One[][] = [];
  for (const count of counts) {
    const last = transactions.at(-1);
    if (last && writesOf([...last, count]).length <= maximumWrites) last.push(count);
    else transactions.push([count]);
  }
  return transactions;
}
