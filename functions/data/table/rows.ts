import type * as z from "zod";
import { notFound } from "../../problem.ts";
import type { Page, PageQuery } from "../../resources/page.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { assertIndexed } from "./indexes.ts";
import { type ItemKey, keys, type List } from "./keys.ts";
import { getItem, itemExists, listItems } from "./reads.ts";
import type { Table } from "./table.ts";

/**
 * The item with this key, parsed by the schema.
 * @param resource the name for the 404, such as `event`.
 * @throws Problem `not_found`
 */
export async function getRow<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
  key: ItemKey,
  resource: string,
): Promise<z.output<Schema>> {
  const item = await getItem(table, key);
  if (!item) throw notFound(resource);
  return schema.parse(item);
}

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
  const { items, lastSortKey } = await listItems(table, list, per_page, after);
  const next_cursor = lastSortKey === undefined ? null : encodeCursor(list, lastSortKey);
  return {
    data: items.map((item) => schema.parse(item)),
    pagination: { per_page, has_more: next_cursor !== null, next_cursor },
  };
}

function isPositionIn({ rowKey, range }: List, sortKey: string): boolean {
  return rowKey(sortKey) !== undefined && (!range || (range.from <= sortKey && sortKey <= range.to));
}

/** One page of a list that records of an earlier version of this service may lack. @throws Problem `service_unavailable` */
export async function listIndexedRows<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
  list: List,
  query: PageQuery,
): Promise<Page<z.output<Schema>>> {
  const [page] = await Promise.all([listRows(table, schema, list, query), assertIndexed(table)]);
  return page;
}

/** The keys of parents, by their name for the 404. */
const parents = { event: keys.event, date: keys.eventDate, order: keys.order };

/**
 * Makes functions that list a parent's children. An unknown or deleted parent, or one of another organisation, is a 404. The parent is read
 * beside the page, in parallel.
 *
 * @returns a function from a list to a function that returns its pages by the parent's id. The latter throws Problem `not_found`, and
 * `invalid_request` for a cursor of another list.
 */
export function childLists<Schema extends z.ZodType>(organisationId: number, table: Table, schema: Schema) {
  return (list: (organisationId: number, parentId: number) => List, parent: keyof typeof parents) =>
    async (id: number, query: PageQuery) => {
      const [page, exists] = await Promise.all([
        listRows(table, schema, list(organisationId, id), query),
        itemExists(table, parents[parent](organisationId, id)),
      ]);
      if (!exists) throw notFound(parent);
      return page;
    };
}
