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

/** Rows of a type in the first read. DynamoDB charges for at least 4 KB, which is about this number of rows. */
const firstRead = 10;
/** Rows to read beyond the expected number, because another short round costs more. */
const spareRows = 2;

/**
 * For each page end: how far each idle type was already found empty. The next page, which the same process usually serves, starts there, and
 * saves half a unit for each such type. No row can appear in between later.
 */
const gaps = new Map<string, Map<ResourceType, string>>();
const maximumGaps = 200;

/**
 * The organisation's first changes of these types after a position, in their order. Each type has its own sorted partition, so this merges them.
 * In rounds, it reads a few rows of each type, then more of those types whose rows are on this page, until the page is full.
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
  const place = (end: string) => `${table.name()} ${organisationId} ${types} ${end}`;
  const known = gaps.get(place(position));
  // `!` sorts before `#`: this excludes the row at the position, and includes all rows at the position if it is only a time.
  const streams = types.map((type): Stream => ({ type, rows: [], from: known?.get(type) ?? `${position}!` }));
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
      if (hasMore && last !== undefined) keepGaps(place(last), streams, last);
      return { changes: changes.filter((change) => change !== undefined), hasMore, end: last };
    }
    const reads = streams.map((stream) => {
      const number = types.length === 1 ? wanted : numberToRead(stream, end, ready.length, wanted - ready.length);
      return number > 0 && stream.from < visibleUntil
        ? readMore(table, organisationId, stream, visibleUntil, number)
        : 0;
    });
    bytes += (await Promise.all(reads)).reduce((sum, read) => sum + read, 0);
  }
}

function rowsBefore(end: string, streams: Stream[]): Row[] {
  return streams
    .flatMap(({ rows }) => rows.filter(({ sortKey }) => sortKey < end))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
}

function keepGaps(place: string, streams: Stream[], last: string): void {
  const idle = streams.filter(({ rows, from }) => from > last && !rows.some(({ sortKey }) => sortKey <= last));
  gaps.set(place, new Map(idle.map(({ type, rows, from }) => [type, rows[0]?.sortKey ?? from])));
  const [oldest = ""] = gaps.keys();
  if (gaps.size > maximumGaps) gaps.delete(oldest);
}

/** The number of rows of a type to read next: its expected share of the missing rows, and more if it holds up the other types. */
function numberToRead({ rows, from }: Stream, end: string, ready: number, missing: number): number {
  const own = rows.filter(({ sortKey }) => sortKey < end).length;
  const lacking = own === 0 ? 0 : Math.ceil((missing * own) / ready) - (rows.length - own);
  const expected = lacking > 0 ? lacking + spareRows : 0;
  return Math.min(missing, from === end ? Math.max(expected, firstRead) : expected);
}

/** @returns the bytes that DynamoDB read. */
async function readMore(table: Table, organisationId: number, stream: Stream, visibleUntil: string, number: number) {
  const { type, from } = stream;
  const list = partitions.changes(organisationId, resourceTypes[type].item, { from, to: visibleUntil });
  const { items, lastSortKey, bytes } = await listItems(table, list, number, { attributes: attributes[type] });
  stream.rows.push(...items.map((item) => ({ type, item, sortKey: String(item[changeTimeAttribute]) })));
  stream.from = lastSortKey === undefined ? visibleUntil : `${lastSortKey}!`;
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
