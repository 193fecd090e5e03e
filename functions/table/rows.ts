import type * as z from "zod";
import type { Page, PageQuery } from "../resources/page.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type List, listAttributes } from "./keys.ts";
import { listItems } from "./reads.ts";
import type { Table } from "./table.ts";

/** One page of a list. @throws Problem `invalid_request` for a cursor of another list. */
export async function listRows<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
  list: List,
  { per_page, cursor }: PageQuery,
): Promise<Page<z.output<Schema>>> {
  const after =
    cursor === undefined
      ? undefined
      : decodeCursor({ ...list, isPosition: (sortKey) => isPositionIn(list, sortKey) }, cursor);
  const { items, lastSortKey, bytes } = await listItems(table, list, per_page, after);
  const rows = items.map((item) => schema.parse(item));
  const data = bytes * mostGrowth > maximumBodyBytes ? fitting(rows) : rows;
  const last = data.length < rows.length ? items[data.length - 1]?.[listAttributes(list).sortKey] : lastSortKey;
  const next_cursor = last === undefined ? null : encodeCursor(list, String(last));
  return { data, pagination: { per_page, has_more: next_cursor !== null, next_cursor } };
}

/**
 * For the JSON of a body. Lambda limits a response to 6 MB ("Lambda quotas"), in which the body is a JSON string, so its quotation marks and
 * backslashes count twice.
 */
export const maximumBodyBytes = 3_000_000;

/** JSON writes a control character, which is one byte in the table, as six. */
const mostGrowth = 6;

/** The first rows whose JSON has at most this number of bytes. One row always fits into a body: it has at most 400 KB in the table. */
export function fitting<Row>(rows: Row[], maximumBytes = maximumBodyBytes): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > maximumBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

function isPositionIn({ rowKey, range }: List, sortKey: string): boolean {
  return rowKey(sortKey) !== undefined && (!range || (range.from <= sortKey && sortKey <= range.to));
}
