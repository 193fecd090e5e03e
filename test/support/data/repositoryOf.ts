import type * as z from "zod";
import { type ListQuery, resourceRepository } from "../../../functions/records/resourceRepository.ts";
import type { Page } from "../../../functions/resources/page.ts";
import type { Data } from "../../../functions/resources/record.ts";
import {
  type ExpandedChildren,
  type ExpandedOne,
  expansionsOf,
  type ListOfAll,
  type ListUnder,
  type LookUp,
  type Resource,
  type ResourceOf,
} from "../../../functions/resources/resource.ts";
import type { Table } from "../../../functions/table/table.ts";

type Row<One extends Resource> = z.output<One["schema"]>;

/** The members that `expand` may add. */
type Expanded<Expand> = {
  [Name in keyof Expand]?: Expand[Name] extends ExpandedChildren
    ? Data<Expand[Name]["children"]>[]
    : Expand[Name] extends ExpandedOne
      ? Data<Expand[Name]["one"]> | null
      : never;
} & { [Name in keyof Expand & string as Expand[Name] extends ExpandedChildren ? `has_more_${Name}` : never]?: true };

type RowOf<One extends Resource> = Row<One> & Expanded<NonNullable<One["expand"]>>;

type ResourceRepository<One extends Resource> = {
  get: (id: number, names?: readonly string[]) => Promise<RowOf<One>>;
} & {
  [Name in keyof One["lists"]]: (...args: ListArguments<One["lists"][Name]>) => Promise<Page<RowOf<One>>>;
};

type ListArguments<List> = List extends ListUnder
  ? [parentId: number, query: ListQuery]
  : List extends LookUp
    ? [text: string, query: ListQuery]
    : List extends ListOfAll
      ? [query: ListQuery]
      : never;

/** The declared reads of a resource with the types of their rows, and a function for each list. @param resourceOf the resources, if the reads may expand. */
export function repositoryOf<One extends Resource>(
  resource: One,
  resourceOf?: ResourceOf,
): (organisationId: number, table: Table) => ResourceRepository<One> {
  return (organisationId, table) => {
    const { get, list } = resourceRepository(resource, expansionsOf(resource, resourceOf))(organisationId, table);
    const lists = Object.entries(resource.lists).map(([listName, declared]) => {
      const all = (query: ListQuery) => list(listName, undefined, query);
      const some = (value: number | string, query: ListQuery) => list(listName, value, query);
      return [listName, "all" in declared ? all : some] as const;
    });
    // Object.fromEntries loses the types of the individual members.
    return { get, ...Object.fromEntries(lists) } as unknown as ResourceRepository<One>;
  };
}
