import type * as z from "zod";
import { notFound, Problem } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import type { Data } from "../resources/record.ts";
import {
  declarationOf,
  type ExpandedChildren,
  type ExpandedOne,
  expansionsOf,
  type ListOfAll,
  type ListUnder,
  type LookUp,
  type Resource,
  type ResourceOf,
  resourceTypes,
  storedSchema,
} from "../resources/resource.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { declaredList } from "../table/lists.ts";
import { getItem, itemExists } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { sortableInstant } from "../values/instant.ts";
import { expandPage, expandRow, maximumRows } from "./expansion.ts";
import { alwaysIn, readChildren, withChildren } from "./wholeChildren.ts";

/** Instants as ISO texts: the rows within `[from, to)`. */
interface Instants {
  from?: string | undefined;
  to?: string | undefined;
}

type ListQuery = PageQuery & Instants & { expand?: readonly string[] | undefined };

type AnyRow = Record<string, unknown>;

type Declared = Pick<Resource, "type" | "schema" | "lists" | "stored" | "expand">;
type Row<One extends Pick<Resource, "schema">> = z.output<One["schema"]>;

/** The members that `expand` may add. */
type Expanded<Expand> = {
  [Name in keyof Expand]?: Expand[Name] extends ExpandedChildren
    ? Data<Expand[Name]["children"]>[]
    : Expand[Name] extends ExpandedOne
      ? Data<Expand[Name]["one"]> | null
      : never;
} & { [Name in keyof Expand & string as Expand[Name] extends ExpandedChildren ? `has_more_${Name}` : never]?: true };

type RowOf<One extends Declared> = Row<One> & Expanded<NonNullable<One["expand"]>>;

type ResourceRepository<One extends Declared> = {
  /** @throws Problem `not_found` */
  get: (id: number, names?: readonly string[]) => Promise<RowOf<One>>;
} & {
  [Name in keyof One["lists"]]: (...args: ListArguments<One["lists"][Name]>) => Promise<Page<RowOf<One>>>;
};

/**
 * Each throws Problem `not_found` for a parent that does not exist, and `invalid_request` for a cursor of another list, and for a look-up
 * that finds nothing but would with + in place of its spaces.
 */
type ListArguments<List> = List extends ListUnder
  ? [parentId: number, query: ListQuery]
  : List extends LookUp
    ? [text: string, query: ListQuery]
    : List extends ListOfAll
      ? [query: ListQuery]
      : never;

/** The parent's id or the text to look up; a list of all has none. */
type Value = number | string | undefined;

/**
 * The declared reads of a resource. Their errors are those of {@link repositoryOf}.
 * @param resourceOf the resources, if the reads may expand.
 */
export function readsOf(resource: Declared, resourceOf?: ResourceOf) {
  const stored = storedSchema(resource);
  const expansions = expansionsOf(resource, resourceOf);
  const always = alwaysIn(expansions);
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
      async get(id: number, names: readonly string[] = []): Promise<AnyRow> {
        const [item, children] = await Promise.all([
          getItem(table, itemKeys[resource.type](organisationId, id)),
          always.length > 0 ? readChildren(expansions, organisationId, id, table) : [],
        ]);
        if (!item) throw notFound(resourceTypes[resource.type].name);
        const others = names.filter((name) => !always.includes(name));
        const row: AnyRow = stored.parse(item);
        const expanded = others.length > 0 ? await expandRow(row, expanding(others)) : row;
        return children.length > 0 ? withChildren(expanded, children) : expanded;
      },

      async list(name: string, value: Value, { expand = [], ...query }: ListQuery): Promise<Page<AnyRow>> {
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

export function repositoryOf<One extends Declared>(
  resource: One,
  resourceOf?: ResourceOf,
): (organisationId: number, table: Table) => ResourceRepository<One> {
  return (organisationId, table) => {
    const { get, list } = readsOf(resource, resourceOf)(organisationId, table);
    const lists = Object.entries(resource.lists).map(([listName, declared]) => {
      const all = (query: ListQuery) => list(listName, undefined, query);
      const some = (value: Value, query: ListQuery) => list(listName, value, query);
      return [listName, "all" in declared ? all : some] as const;
    });
    // Object.fromEntries loses the types of the individual members.
    return { get, ...Object.fromEntries(lists) } as unknown as ResourceRepository<One>;
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
