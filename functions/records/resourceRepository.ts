import { notFound, Problem } from "../problem.ts";
import { fitting, maximumBodyBytes, type Page, type PageQuery } from "../resources/page.ts";
import {
  alwaysIncludedIn,
  declarationOf,
  type Expansions,
  type ListUnder,
  type Resource,
  resourceTypes,
  storedSchema,
} from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { declaredList } from "../table/lists.ts";
import { getItem, itemExists, listFirstItems } from "../table/reads.ts";
import { listRows, readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { sortableInstant } from "../values/instant.ts";
import { expandPage, expandRow, maximumRows } from "./expansion.ts";

type Row = Record<string, unknown>;

/** Instants as ISO texts: the rows within `[from, to)`. */
interface Instants {
  from?: string | undefined;
  to?: string | undefined;
}

export type ListQuery = PageQuery & Instants & { expand?: readonly string[] | undefined };

/** The parent's id or the text to look up; a list of all has none. */
type Value = number | string | undefined;

/**
 * The reads that a resource declares.
 * @param expansions those that the reads may include.
 */
export function resourceRepository(resource: Resource, expansions: Expansions = {}) {
  const stored = storedSchema(resource);
  const always = alwaysIncludedIn(expansions);
  return (organisationId: number, table: Table) => {
    const expanding = (names: readonly string[]) => ({ organisationId, table, expansions, names });
    const listOf = (name: string, value: Value, instants: Instants) => ({
      ...declaredList(resource, name, organisationId, value),
      ...rangeOf(instants),
    });

    async function readPage(name: string, value: Value, query: PageQuery & Instants) {
      const list = declarationOf(resource, name);
      const [page] = await Promise.all([
        listRows(table, stored, listOf(name, value, query), query),
        "under" in list && assertExists(table, list.under, organisationId, Number(value)),
      ]);
      const isNothing = page.data.length === 0 && query.cursor === undefined;
      if (isNothing && "lookUp" in list && String(value).includes(" ")) {
        const meant = listOf(name, String(value).replaceAll(" ", "+"), query);
        if ((await listRows(table, stored, meant, { ...query, per_page: 1 })).data.length > 0)
          throw unencodedPlus(list.lookUp);
      }
      return page;
    }

    return {
      /** @throws Problem `not_found` */
      async get(id: number, names: readonly string[] = []): Promise<Row> {
        const [item, children] = await Promise.all([
          getItem(table, itemKeys[resource.type](organisationId, id)),
          readChildren(expansions, organisationId, id, table),
        ]);
        if (!item) throw notFound(resourceTypes[resource.type].name);
        const others = names.filter((name) => !always.includes(name));
        const row = stored.parse(item);
        return withChildren(others.length > 0 ? await expandRow(row, expanding(others)) : row, children);
      },

      /**
       * @throws Problem `not_found` for a parent that does not exist.
       * @throws Problem `invalid_request` for a cursor of another list, and for a look-up that finds nothing but would with + in place of its spaces.
       */
      async list(name: string, value: Value, { expand = [], ...query }: ListQuery): Promise<Page<Row>> {
        if (expand.length === 0) return readPage(name, value, query);
        const per_page = Math.min(query.per_page, maximumRows(expanding(expand)));
        const page = await readPage(name, value, { ...query, per_page });
        const { data, pagination } = await expandPage(page, expanding(expand), {
          resource,
          list: listOf(name, value, query),
        });
        return { data, pagination: { ...pagination, per_page: query.per_page } };
      },
    };
  };
}

/** The rows of one type that a resource always includes: at least as many as fit into a response. */
interface Children {
  name: string;
  resource: Resource;
  items: Item[];
  hasMore: boolean;
}

/** Reads the children that a single resource always includes. Their lists need only its id, so it may be read concurrently. */
export function readChildren(
  expansions: Expansions,
  organisationId: number,
  id: number,
  table: Table,
): Promise<Children[]> {
  const children = Object.entries(expansions).flatMap(([name, to]) =>
    "children" in to && to.alwaysIncluded ? [{ name, resource: to.children, list: to.list }] : [],
  );
  const read = children.map(async ({ name, resource, list }) => {
    const rows = declaredList(resource, list, organisationId, id);
    return { name, resource, ...(await listFirstItems(table, rows, maximumBodyBytes)) };
  });
  return Promise.all(read);
}

/** A row with as many of these children as fit into a response. */
export function withChildren<One extends object>(row: One, children: readonly Children[]): One {
  if (children.length === 0) return row;
  let room = maximumBodyBytes - Buffer.byteLength(JSON.stringify(row));
  const members = children.map(({ name, resource, items, hasMore }) => {
    const stored = storedSchema(resource);
    const all = items.map((item) => readable(stored, item)).filter((one) => one !== undefined);
    const shown = fitting(all, room);
    room -= Buffer.byteLength(JSON.stringify(shown));
    return { [name]: shown, ...((hasMore || shown.length < all.length) && { [`has_more_${name}`]: true }) };
  });
  return Object.assign({}, row, ...members);
}

/** A + that is not encoded in a query arrives as a space. */
function unencodedPlus(parameter: string): Problem {
  const errors = [{ parameter, detail: "Encode + as %2B." }];
  return new Problem("invalid_request", "The query has invalid parameters.", { errors });
}

/** @throws Problem `not_found` for an unknown or deleted parent, also one of another organisation. */
async function assertExists(table: Table, parent: ListUnder["under"], organisationId: number, id: number) {
  if (!(await itemExists(table, itemKeys[parent](organisationId, id)))) throw notFound(resourceTypes[parent].name);
}

/** Without bounds, a list also has the rows without an instant. */
function rangeOf({ from, to }: Instants) {
  if (from === undefined && to === undefined) return {};
  // A row's sort key is its instant and its id, so a bound sorts before every row at its instant.
  const range = {
    from: from === undefined ? "0" : sortableInstant(from),
    to: to === undefined ? "~" : sortableInstant(to),
  };
  return { range };
}
