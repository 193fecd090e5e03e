import { randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { type ItemKey, itemKeys, itemTypeOf, organisationIdOf } from "../table/itemKeys.ts";
import { type TransactWrite, updateOf } from "../table/writes.ts";
import { CountedItem } from "./countedItem.ts";
import { countersIn } from "./counters.ts";
import { addRowCounters, RowCounters, rowCounters, rowOf } from "./summaryRows.ts";

/** Items of one type that count the same. */
const CountedItems = CountedItem.extend({ type: z.string(), ids: z.array(z.int()) });
type CountedItems = z.infer<typeof CountedItems>;

const Content = z.object({
  items: z.array(CountedItems),
  /** Deltas that did not fit into a transaction, by {@link rowName}. */
  left: z.record(z.string(), RowCounters).optional(),
});
type Content = z.infer<typeof Content>;

/**
 * The last count of an order with its tickets and payments, or of an item without an order. Stored beside the order or item. A large one is
 * compressed, because DynamoDB limits an item to 400 KB.
 */
const LastCounted = z.union([
  z.object({ revision: z.string(), packed: z.string() }),
  Content.extend({ revision: z.string() }),
]);

/** @throws Error if the stored item is damaged. */
function parseLastCounted(stored: unknown): Content & { revision: string } {
  const parsed = LastCounted.parse(stored);
  if (!("packed" in parsed)) return parsed;
  const json = inflateRawSync(Buffer.from(parsed.packed, "base64")).toString();
  return { revision: parsed.revision, ...Content.parse(JSON.parse(json)) };
}

const largestUnpackedBytes = 64_000;

/** Sums by {@link rowName}. */
type Deltas = Map<string, RowCounters>;

export interface Count {
  /** Stores the new count, unless another consumer has stored one since the read. */
  put: TransactWrite;
  deltas: Deltas;
  /** False if `deltas` has only as many rows as fit into a transaction. */
  isComplete: boolean;
}

/** DynamoDB's limit for one transaction. */
const maximumWrites = 100;

/** A row of a summary as a text, because a map compares objects by identity. Partition keys contain no space. */
function rowName({ PK, SK }: ItemKey): string {
  return `${PK} ${SK}`;
}

function rowKey(name: string): ItemKey {
  const [PK = "", ...SK] = name.split(" ");
  return { PK, SK: SK.join(" ") };
}

/** The partition of the first summary that a count changes. */
export function firstSummary({ deltas }: Count): string | undefined {
  const [name] = deltas.keys();
  return name === undefined ? undefined : rowKey(name).PK;
}

/**
 * @param stored the owner's item of {@link LastCounted}, if there is one.
 * @param current what these items count with this owner now: undefined if nothing.
 * @throws Error if the stored item is damaged.
 */
export function countAgain(
  owner: string,
  stored: unknown,
  current: { key: ItemKey; counted: CountedItem | undefined }[],
): Count {
  const before = stored === undefined ? undefined : parseLastCounted(stored);
  const items = replaceItems(before?.items ?? [], current);
  const all: Deltas = new Map(Object.entries(before?.left ?? {}));
  addAll(all, totalsOf(owner, items), 1);
  addAll(all, totalsOf(owner, before?.items ?? []), -1);
  const left = [...all].slice(maximumWrites - 1);
  return {
    put: {
      put: itemOf(owner, { items, ...(left.length > 0 && { left: Object.fromEntries(left) }) }),
      condition: before
        ? { condition: "revision = :read", values: { ":read": before.revision } }
        : { condition: "attribute_not_exists(PK)" },
    },
    deltas: new Map([...all].slice(0, maximumWrites - 1)),
    isComplete: left.length === 0,
  };
}

/**
 * A last count whose numbers are all still to be added to summaries: for summaries that were deleted.
 * @throws Error if the stored item is damaged.
 */
export function uncounted(owner: string, stored: unknown) {
  const { items } = parseLastCounted(stored);
  return itemOf(owner, { items, left: Object.fromEntries(totalsOf(owner, items)) });
}

function itemOf(owner: string, content: Content) {
  const json = JSON.stringify(content);
  const isLarge = Buffer.byteLength(json) > largestUnpackedBytes;
  const stored = isLarge ? { packed: deflateRawSync(json).toString("base64") } : content;
  return { ...itemKeys.lastCounted(owner), revision: randomUUID(), ...stored };
}

function replaceItems(
  all: CountedItems[],
  current: { key: ItemKey; counted: CountedItem | undefined }[],
): CountedItems[] {
  const changed = new Set(current.map(({ key }) => `${key.SK} ${idOf(key)}`));
  const groups = new Map<string, CountedItems>();
  const add = (type: string, { counters, ...counted }: CountedItem, ids: number[]) => {
    const name = JSON.stringify([type, Object.entries(counted).sort(), countersIn(counters)]);
    const group = groups.get(name) ?? { type, ...counted, counters, ids: [] };
    group.ids.push(...ids);
    groups.set(name, group);
  };
  for (const { type, ids, ...counted } of all) {
    const kept = ids.filter((id) => !changed.has(`${type} ${id}`));
    if (kept.length > 0) add(type, counted, kept);
  }
  for (const { key, counted } of current) if (counted) add(key.SK, counted, [idOf(key)]);
  return [...groups.values()];
}

function idOf({ PK }: ItemKey): number {
  return Number(PK.split("#")[3]);
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
  for (const { event_id, date_id, ticket_category_id, counters, ids, currency = own?.currency } of items) {
    const counting = countersIn(counters).filter(([name]) => isSold || movedMoney.includes(name));
    const added = rowCounters({ ticket_category_id }, Object.fromEntries(counting), ids.length);
    const row = rowOf({ ticket_category_id, currency });
    addTo(totals, rowName(itemKeys.eventSummary(organisationId, event_id, row)), added, 1);
    if (date_id !== null) addTo(totals, rowName(itemKeys.dateSummary(organisationId, date_id, row)), added, 1);
  }
  return totals;
}

function addAll(deltas: Deltas, more: Deltas, factor: 1 | -1): void {
  for (const [row, counters] of more) addTo(deltas, row, counters, factor);
}

/** Leaves out rows that do not change. */
function addTo(deltas: Deltas, row: string, counters: RowCounters, factor: 1 | -1): void {
  const sum = addRowCounters(deltas.get(row) ?? {}, counters, factor);
  if (Object.keys(sum).length > 0) deltas.set(row, sum);
  else deltas.delete(row);
}

export function writesOf(counts: Count[]): TransactWrite[] {
  const sums: Deltas = new Map();
  for (const { deltas } of counts) addAll(sums, deltas, 1);
  const date_generated = new Date().toISOString();
  const updates = [...sums].map(([row, add]) => ({
    key: rowKey(row),
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
