import * as z from "zod";
import { logger } from "../log/logger.ts";
import { damagedItemMetric } from "../log/measurements.ts";
import { fitting, maximumBodyBytes, type Page, type PageQuery } from "../resources/page.ts";
import { decodeCursor, encodeCursor } from "../values/cursor.ts";
import type { Item } from "./item.ts";
import { type List, listAttributes } from "./lists.ts";
import { listItems } from "./reads.ts";
import type { Table } from "./table.ts";

/** One page of a list, without damaged items. A page is not empty unless it is the last. @throws ForeignCursor */
export async function listRows<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
  list: List,
  { per_page, cursor }: PageQuery,
): Promise<Page<z.output<Schema>>> {
  const isPosition = (sortKey: string) => isPositionIn(list, sortKey);
  let after = cursor === undefined ? undefined : decodeCursor({ ...list, isPosition }, cursor);
  for (;;) {
    const { data, last } = await listReadable(table, schema, list, per_page, after);
    if (data.length > 0 || last === undefined) {
      const next_cursor = last === undefined ? null : encodeCursor(list, last);
      return { data, pagination: { per_page, has_more: next_cursor !== null, next_cursor } };
    }
    // Some readers take an empty page for the end.
    after = last;
  }
}

/** @returns the rows that are not damaged, and the sort key of the last one, damaged or not, if more follow. */
async function listReadable<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
  list: List,
  limit: number,
  after: string | undefined,
) {
  const options = { after, attributes: attributesOf(schema) };
  const { items, lastSortKey, bytes } = await listItems(table, list, limit, options);
  const rows = items.map((item) => readable(schema, item));
  const shown = bytes * mostGrowth > maximumBodyBytes ? fitting(rows) : rows;
  const last = shown.length < rows.length ? items[shown.length - 1]?.[listAttributes(list).sortKey] : lastSortKey;
  return { data: shown.filter((row) => row !== undefined), last: last === undefined ? undefined : String(last) };
}

/**
 * Reads an item of a list. A damaged item, which lacks a field or has one of another type, must not hide others: the list leaves it out, and its
 * log line raises an alarm.
 * @returns undefined if the item is damaged.
 */
export function readable<Schema extends z.ZodType>(schema: Schema, item: Item): z.output<Schema> | undefined {
  const { data, error } = schema.safeParse(item);
  if (!error) return data;
  const fields = [...new Set(error.issues.map(({ path }) => path.join(".")))];
  // Without values, which may be personal data.
  logger.error("An item is damaged.", { item: { PK: item.PK, SK: item.SK }, fields, ...damagedItemMetric() });
  return undefined;
}

/** JSON writes a control character, which is one byte in the table, as six. */
const mostGrowth = 6;

/** The attributes that a schema of items reads; undefined if it may read any. */
export function attributesOf(schema: z.core.$ZodType): string[] | undefined {
  if (schema instanceof z.ZodPipe) return attributesOf(schema.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}

function isPositionIn({ rowKey, range }: List, sortKey: string): boolean {
  return rowKey(sortKey) !== undefined && (!range || (range.from <= sortKey && sortKey <= range.to));
}
