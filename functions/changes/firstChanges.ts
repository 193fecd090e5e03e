import * as z from "zod";
import { acceptance } from "../records/acceptance.ts";
import { resources } from "../resources/index.ts";
import { fitting, maximumBodyBytes } from "../resources/page.ts";
import { type Resource, type ResourceType, resourceTypes, storedForm, storedSchema } from "../resources/resource.ts";
import { type Item, isTombstone } from "../table/item.ts";
import { lists } from "../table/lists.ts";
import { listItems } from "../table/reads.ts";
import { attributesOf, readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import type { Change } from "./change.ts";

interface Row {
  type: ResourceType;
  item: Item;
  /** Has one order for all types. */
  sortKey: string;
}

/** What was read of a type's rows. */
interface Lane {
  type: ResourceType;
  rows: Row[];
  /** Every row before this sort key was read: all of them, if it is the horizon. */
  from: string;
  /** The part of the page's rows that is expected to be of this type. */
  share: number;
}

/** What a page shows about the rows after it. */
type Outlook = Map<ResourceType, Pick<Lane, "from" | "share">>;

/**
 * The outlooks of this process's latest pages, by where they ended: the next page is usually read by the same process. They only save reads. No
 * row can appear behind a horizon, so an outlook stays true.
 */
const outlooks = new Map<string, Outlook>();
const maximumOutlooks = 200;

/**
 * The organisation's first changes of these types after a position, in their order. Each type has a partition of its own, so this reads some rows
 * of each, and more of those that turn out to be needed.
 *
 * @param after.position the sort key of the last row already shown, or a time, whose rows are included.
 * @param after.horizon the time at which the rows end.
 * @returns at most `limit` changes, fewer if they are very large or damaged, and the sort key of the last one.
 */
export async function firstChanges(
  table: Table,
  organisationId: number,
  types: ResourceType[],
  { position, horizon }: { position: string; horizon: string },
  limit: number,
): Promise<{ changes: Change[]; hasMore: boolean; end: string | undefined }> {
  const name = (end: string) => `${table.name()} ${organisationId} ${types} ${end}`;
  const lanes = lanesAt(position, types, outlooks.get(name(position)));
  let ready: Row[] = [];
  let isComplete = false;
  for (let bytes = 0; ; ) {
    const end = endOf(lanes);
    ready = rowsBefore(end, lanes);
    isComplete = end >= horizon;
    if (isComplete || ready.length > limit || (ready.length > 0 && bytes > maximumBodyBytes)) break;
    const reads = lanes.map((lane) => {
      const number = lane.from < horizon ? numberToRead(lane, end, limit + 1, ready) : 0;
      return number > 0 ? extend(table, organisationId, lane, horizon, number) : 0;
    });
    bytes += (await Promise.all(reads)).reduce((sum, read) => sum + read, 0);
  }
  const changes = fitting(ready.slice(0, limit).map(changeOf));
  const shown = ready.slice(0, changes.length);
  const hasMore = !isComplete || changes.length < ready.length;
  const end = shown.at(-1)?.sortKey;
  if (hasMore && end !== undefined) keep(name(end), outlookAfter(shown, lanes));
  return { changes: changes.filter((change) => change !== undefined), hasMore, end };
}

function lanesAt(position: string, types: ResourceType[], outlook?: Outlook): Lane[] {
  // If nothing is known, half of an equal share: some types usually have few rows or none.
  const unknown = { from: "", share: types.length === 1 ? 1 : 0.5 / types.length };
  return types.map((type) => {
    const { from, share } = outlook?.get(type) ?? unknown;
    // `!` sorts before `#`: this excludes the row at the position, and includes all rows at the position if it is only a time.
    const start = `${position}!`;
    return { type, rows: [], from: from > start ? from : start, share };
  });
}

/** The sort key before which every row of all types was read. */
function endOf(lanes: Lane[]): string {
  return lanes.reduce((end, { from }) => (from < end ? from : end), "~");
}

function rowsBefore(end: string, lanes: Lane[]): Row[] {
  return lanes
    .flatMap(({ rows }) => rows.filter(({ sortKey }) => sortKey < end))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
}

/** DynamoDB charges for 4 KB at least, which is about this number of rows. */
const minimumRead = 8;

/**
 * How many of a type's next rows to read; none if not positive.
 * @param wanted the number of rows that the page needs in all.
 * @param ready those that it has: the rows of all types before `end`.
 */
function numberToRead(lane: Lane, end: string, wanted: number, ready: Row[]): number {
  const missing = wanted - ready.length;
  const isReady = ({ sortKey }: Row) => sortKey < end;
  const own = lane.rows.filter(isReady).length;
  const expected = missing * (ready.length > 0 ? own / ready.length : lane.share);
  // The square root is the usual deviation of a number that chance decides.
  const next = Math.min(missing, Math.ceil(expected + Math.sqrt(expected))) - (lane.rows.length - own);
  if (lane.from > end) return expected < 1 ? 0 : next;
  return Math.min(missing, Math.max(next, minimumRead, lane.rows.length));
}

/** Reads a number of a type's next rows. Returns the bytes that DynamoDB read. */
async function extend(table: Table, organisationId: number, lane: Lane, horizon: string, number: number) {
  const range = { from: lane.from, to: horizon };
  const list = lists.changes(organisationId, resourceTypes[lane.type].item, range);
  const { items, lastSortKey, bytes } = await listItems(table, list, number, { attributes: attributes[lane.type] });
  lane.rows.push(...items.map((item) => ({ type: lane.type, item, sortKey: String(item[acceptance]) })));
  lane.from = lastSortKey === undefined ? horizon : `${lastSortKey}!`;
  return bytes;
}

function outlookAfter(shown: Row[], lanes: Lane[]): Outlook {
  const end = shown.at(-1)?.sortKey ?? "";
  return new Map(
    lanes.map(({ type, rows, from }) => {
      const next = rows.find(({ sortKey }) => sortKey > end);
      const own = shown.filter((row) => row.type === type).length;
      return [type, { from: next?.sortKey ?? from, share: own / shown.length }];
    }),
  );
}

function keep(name: string, outlook: Outlook): void {
  outlooks.delete(name);
  outlooks.set(name, outlook);
  const [oldest] = outlooks.keys();
  if (outlooks.size > maximumOutlooks && oldest !== undefined) outlooks.delete(oldest);
}

/** The schemas of stored items, and of what changes have beside their data. */
const storedForms = Object.fromEntries(
  Object.values<Resource>(resources).map((resource) => {
    const { type, beside = {} } = resource;
    return [type, { data: storedSchema(resource), beside: storedForm(z.object(beside)) }];
  }),
) as { [Type in ResourceType]: { data: z.ZodType; beside: z.ZodObject } };

/** The attributes of items that changes read. */
const attributes = Object.fromEntries(
  Object.entries(storedForms).map(([type, { data, beside }]) => {
    const [own, others] = [attributesOf(data), attributesOf(beside)];
    return [type, own && others && [acceptance, "deleted", ...own, ...others]];
  }),
);

/** @returns undefined if the item is damaged. */
function changeOf({ type, item, sortKey }: Row): Change | undefined {
  const [changed_at, , id] = sortKey.split("#");
  const forms = storedForms[type];
  const isDeleted = isTombstone(item);
  const nulls = Object.fromEntries(Object.keys(forms.beside.shape).map((name) => [name, null]));
  const beside = isDeleted ? nulls : readable(forms.beside, item);
  const data = isDeleted ? null : beside && readable(forms.data, item);
  if (data === undefined) return undefined;
  const change = isDeleted ? "deleted" : "upserted";
  // The parts have the types that the declarations say.
  return { type, id: Number(id), ...beside, change, changed_at, data } as unknown as Change;
}
