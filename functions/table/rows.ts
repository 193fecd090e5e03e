import { hash } from "node:crypto";
import * as z from "zod";
import { Problem } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { type List, listAttributes } from "./keys.ts";
import { readable } from "./readable.ts";
import { listItems } from "./reads.ts";
import type { Table } from "./table.ts";

/** One page of a list, without damaged items. @throws Problem `invalid_request` for a cursor of another list. */
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
  const { items, lastSortKey, bytes } = await listItems(table, list, per_page, {
    after,
    attributes: attributesOf(schema),
  });
  const rows = items.map((item) => readable(schema, item));
  const shown = bytes * mostGrowth > maximumBodyBytes ? fitting(rows) : rows;
  const last = shown.length < rows.length ? items[shown.length - 1]?.[listAttributes(list).sortKey] : lastSortKey;
  const next_cursor = last === undefined ? null : encodeCursor(list, String(last));
  const data = shown.filter((row) => row !== undefined);
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
    bytes += row === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
    return bytes > maximumBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** The attributes that a schema of items reads; undefined if it may read any. */
export function attributesOf(schema: z.core.$ZodType): string[] | undefined {
  if (schema instanceof z.ZodPipe) return attributesOf(schema.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}

function isPositionIn({ rowKey, range }: List, sortKey: string): boolean {
  return rowKey(sortKey) !== undefined && (!range || (range.from <= sortKey && sortKey <= range.to));
}

const digestBytes = 9;

/** The list, and the range if it has one, that a cursor belongs to. */
type Place = Pick<List, "partition" | "range">;

/**
 * An opaque position in a list: the sort key of the last row shown, and a digest of it and of the list. The digest detects damaged cursors and
 * those of other lists. It is not a security measure: the partition to read always comes from the caller and the path, never from the cursor.
 */
export function encodeCursor(place: Place, position: string): string {
  return Buffer.concat([digest(place, position), Buffer.from(position)]).toString("base64url");
}

/**
 * The position in a cursor that {@link encodeCursor} made for this list.
 * @param detail why any other text is refused.
 * @throws Problem `invalid_request` for any other text.
 */
export function decodeCursor(
  list: Place & { isPosition: (position: string) => boolean },
  cursor: string,
  detail = "Not a cursor of this list.",
): string {
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.subarray(digestBytes).toString();
  if (encodeCursor(list, position) !== cursor || !list.isPosition(position)) {
    throw new Problem("invalid_request", detail, { errors: [{ parameter: "cursor", detail }] });
  }
  return position;
}

function digest({ partition, range }: Place, position: string): Buffer {
  const parts = range ? [partition, range.from, range.to, position] : [partition, position];
  return hash("sha256", parts.join("\n"), "buffer").subarray(0, digestBytes);
}
