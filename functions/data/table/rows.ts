import type * as z from "zod";
import { notFound } from "../../problem.ts";
import type { Page, PageQuery } from "../../resources/page.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type ItemKey, keys, type List } from "./keys.ts";
import { getItem, listItems } from "./reads.ts";
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
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const { items, lastSortKey } = await listItems(table, list, per_page, after);
  const next_cursor = lastSortKey === undefined ? null : encodeCursor(list.partition, lastSortKey);
  return {
    data: items.map((item) => schema.parse(item)),
    pagination: { per_page, has_more: next_cursor !== null, next_cursor },
  };
}

/** The keys of parents, by their name for the 404. */
const parents = { event: keys.event, date: keys.eventDate, order: keys.order };

/**
 * Makes functions that list a parent's children. An unknown parent, or one of another organisation, is a 404 and not an empty page. The parent
 * is only read if the page is empty.
 *
 * @returns a function from a list to a function that returns its pages by the parent's id. The latter throws Problem `not_found`, and
 * `invalid_request` for a cursor of another list.
 */
export function childLists<Schema extends z.ZodType>(organisationId: number, table: Table, schema: Schema) {
  return (list: (organisationId: number, parentId: number) => List, parent: keyof typeof parents) =>
    async (id: number, query: PageQuery) => {
      const page = await listRows(table, schema, list(organisationId, id), query);
      if (page.data.length > 0) return page;
      if (!(await getItem(table, parents[parent](organisationId, id)))) throw notFound(parent);
      return page;
    };
}
