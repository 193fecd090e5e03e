import type * as z from "zod";
import { notFound, Problem } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import {
  type ListDeclaration,
  type ListOfAll,
  type ListUnder,
  type LookUp,
  type Resource,
  resourceTypes,
  storedSchema,
} from "../resources/resource.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { declaredList } from "../table/lists.ts";
import { getItem, itemExists } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { sortableInstant } from "../values/instant.ts";

/** Instants as ISO texts: the rows within `[from, to)`. */
interface Instants {
  from?: string | undefined;
  to?: string | undefined;
}

type Row<Declared extends Pick<Resource, "schema">> = z.output<Declared["schema"]>;

type ResourceRepository<Declared extends Pick<Resource, "schema" | "lists">> = {
  /** @throws Problem `not_found` */
  get: (id: number) => Promise<Row<Declared>>;
} & {
  [Name in keyof Declared["lists"]]: (...args: ListArguments<Declared["lists"][Name]>) => Promise<Page<Row<Declared>>>;
};

/**
 * Each throws Problem `not_found` for a parent that does not exist, and `invalid_request` for a cursor of another list, and for a look-up
 * that finds nothing but would with + in place of its spaces.
 */
type ListArguments<List> = List extends ListUnder
  ? [parentId: number, query: PageQuery]
  : List extends LookUp
    ? [text: string, query: PageQuery]
    : List extends ListOfAll
      ? [query: PageQuery & Instants]
      : never;

/** The parent's id or the text to look up; a list of all has none. */
type Value = number | string | undefined;

export function repositoryOf<Declared extends Pick<Resource, "type" | "schema" | "lists" | "stored">>(
  resource: Declared,
): (organisationId: number, table: Table) => ResourceRepository<Declared> {
  const stored = storedSchema(resource);
  const { name } = resourceTypes[resource.type];
  return (organisationId, table) => {
    const readPage = async (listName: string, list: ListDeclaration, value: Value, query: PageQuery & Instants) => {
      const range = "isRanged" in list ? { range: rangeOf(query) } : {};
      const place = { ...declaredList(resource, listName, organisationId, value), ...range };
      const [page] = await Promise.all([
        listRows(table, stored, place, query),
        "under" in list && assertExists(table, list.under, organisationId, Number(value)),
      ]);
      const isNothing = page.data.length === 0 && query.cursor === undefined;
      if (isNothing && "lookUp" in list && String(value).includes(" ")) {
        const meant = declaredList(resource, listName, organisationId, String(value).replaceAll(" ", "+"));
        if ((await listRows(table, stored, meant, { ...query, per_page: 1 })).data.length > 0)
          throw unencodedPlus(list.lookUp);
      }
      return page;
    };
    const listOf = (listName: string, list: ListDeclaration) =>
      "all" in list
        ? (query: PageQuery) => readPage(listName, list, undefined, query)
        : (value: Value, query: PageQuery) => readPage(listName, list, value, query);
    const lists = Object.entries(resource.lists).map(([listName, list]) => [listName, listOf(listName, list)] as const);
    const get = async (id: number) => {
      const item = await getItem(table, itemKeys[resource.type](organisationId, id));
      if (!item) throw notFound(name);
      return stored.parse(item);
    };
    // Object.fromEntries loses the types of the individual members.
    return { get, ...Object.fromEntries(lists) } as unknown as ResourceRepository<Declared>;
  };
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

function rangeOf({ from, to }: Instants) {
  // A row's sort key is its instant and its id, so a bound sorts before every row at its instant.
  return { from: from === undefined ? "0" : sortableInstant(from), to: to === undefined ? "~" : sortableInstant(to) };
}
