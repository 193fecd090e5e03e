import * as z from "zod";
import { changeTimeAttribute } from "../records/changeTime.ts";
import { resources } from "../resources/index.ts";
import { fitting, maximumBodyBytes } from "../resources/page.ts";
import { type Resource, type ResourceType, resourceTypes, storedForm, storedSchema } from "../resources/resource.ts";
import { type Item, isTombstone } from "../table/item.ts";
import { partitions } from "../table/lists.ts";
import { listItems } from "../table/reads.ts";
import { attributesOf, readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type Change, keyOf } from "./change.ts";

interface Row {
  type: ResourceType;
  item: Item;
  /** Comparable between types. */
  sortKey: string;
}

interface Stream {
  type: ResourceType;
  rows: Row[];
  /** All rows before this sort key have been read. */
  from: string;
}

interface Read {
  stream: Stream;
  to: string;
  number: number;
}

/** Rows of each type in the first read: a sixth of a page, but at most about 8 KB. DynamoDB charges for each 4 KB begun. */
const firstRows = (wanted: number) => Math.min(Math.ceil(wanted / 6), 16);
/** A read of a type has at most this many times as many rows as are known to be on the page. */
const growth = 8;

/**
 * The organisation's first changes of these types after a position, in their order. Each type has its own sorted partition, so this merges them.
 * It reads a few rows of each type, then in growing steps until the page is full: the type with the most rows goes ahead, and the others follow up
 * to its place, so that nearly all rows read are on the page.
 * @param after.position the sort key of the last row already shown, or a time, whose rows are included.
 * @param after.visibleUntil the time at which the rows end.
 * @returns at most `limit` changes, fewer if they are very large or damaged, and the sort key of the last one.
 */
export async function mergeChanges(
  table: Table,
  organisationId: number,
  types: ResourceType[],
  { position, visibleUntil }: { position: string; visibleUntil: string },
  limit: number,
): Promise<{ changes: Change[]; hasMore: boolean; end: string | undefined }> {
  // `!` sorts before `#`: this excludes the row at the position, and includes all rows at the position if it is only a time.
  const streams = types.map((type): Stream => ({ type, rows: [], from: `${position}!` }));
  // One more row shows that another page follows.
  const wanted = limit + 1;
  let bytes = 0;
  for (;;) {
    const end = streams.reduce((least, { from }) => (from < least ? from : least), visibleUntil);
    const ready = rowsBefore(end, streams);
    const isComplete = end >= visibleUntil;
    if (isComplete || ready.length >= wanted || (ready.length > 0 && bytes > maximumBodyBytes)) {
      const changes = fitting(ready.slice(0, limit).map(changeOf));
      const hasMore = !isComplete || changes.length < ready.length;
      const last = ready[changes.length - 1]?.sortKey;
      return { changes: changes.filter((change) => change !== undefined), hasMore, end: last };
    }
    const reads = nextReads(streams, ready, wanted, visibleUntil).map((read) => readMore(table, organisationId, read));
    bytes += (await Promise.all(reads)).reduce((sum, read) => sum + read, 0);
  }
}

function rowsBefore(end: string, streams: Stream[]): Row[] {
  return streams
    .flatMap(({ rows }) => rows.filter(({ sortKey }) => sortKey < end))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
}

/** The next reads, which are independent of each other. @param ready the rows that are certainly on the page. */
function nextReads(streams: Stream[], ready: Row[], wanted: number, visibleUntil: string): Read[] {
  const unfinished = streams.filter(({ from }) => from < visibleUntil);
  if (ready.length === 0) {
    const number = streams.length === 1 ? wanted : firstRows(wanted);
    return unfinished.map((stream) => ({ stream, to: visibleUntil, number }));
  }
  const missing = wanted - ready.length;
  const onPage = ({ type }: Stream) => ready.filter((row) => row.type === type).length;
  const leader = unfinished.reduce((most, stream) => (onPage(stream) > onPage(most) ? stream : most));
  const behind = unfinished.filter(({ from }) => from < leader.from);
  if (behind.length > 0) {
    const numberOf = (stream: Stream) => Math.min(missing, firstRows(wanted) + growth * onPage(stream));
    return behind.map((stream) => ({ stream, to: leader.from, number: numberOf(stream) }));
  }
  // Not more than its part of the missing rows, because the other types have to follow.
  const part = Math.ceil((missing * onPage(leader)) / ready.length);
  return [{ stream: leader, to: visibleUntil, number: Math.min(part, growth * onPage(leader)) }];
}

/** Reads rows of a type before a sort key. @returns the bytes that DynamoDB read. */
async function readMore(table: Table, organisationId: number, { stream, to, number }: Read): Promise<number> {
  const { type, from } = stream;
  const list = partitions.changes(organisationId, resourceTypes[type].item, { from, to });
  const { items, lastSortKey, bytes } = await listItems(table, list, number, { attributes: attributes[type] });
  stream.rows.push(...items.map((item) => ({ type, item, sortKey: String(item[changeTimeAttribute]) })));
  stream.from = lastSortKey === undefined ? to : `${lastSortKey}!`;
  return bytes;
}

/** The schemas of stored items, with the fields that only changes have. */
const storedForms = Object.fromEntries(
  Object.values<Resource>(resources).map((resource) => {
    const { type, extraFields = {} } = resource;
    return [type, { data: storedSchema(resource), extraFields: storedForm(z.object(extraFields)) }];
  }),
) as { [Type in ResourceType]: { data: z.ZodType; extraFields: z.ZodObject } };

const attributes = Object.fromEntries(
  Object.entries(storedForms).map(([type, { data, extraFields }]) => {
    const [own, others] = [attributesOf(data), attributesOf(extraFields)];
    return [type, own && others && [changeTimeAttribute, "deleted", ...own, ...others]];
  }),
);

/** @returns undefined if the item is damaged. */
function changeOf({ type, item, sortKey }: Row): Change | undefined {
  const [changed_at = "", , id] = sortKey.split("#");
  const forms = storedForms[type];
  const isDeleted = isTombstone(item);
  const nulls = Object.fromEntries(Object.keys(forms.extraFields.shape).map((name) => [name, null]));
  const extraFields = isDeleted ? nulls : readable(forms.extraFields, item);
  const data = isDeleted ? null : extraFields && readable(forms.data, item);
  if (data === undefined) return undefined;
  const change = isDeleted ? "deleted" : "upserted";
  const key = keyOf({ type, id: Number(id), changed_at });
  // The parts have the declared types.
  return { type, id: Number(id), ...extraFields, change, changed_at, key, data } as unknown as Change;
}
