import { resources } from "../resources/index.ts";
import { fitting, maximumBodyBytes } from "../resources/page.ts";
import { type Resource, type ResourceType, storedSchema } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { declaredList } from "../table/lists.ts";
import { listFirstItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** A resource's rows of one type: at least as many as fit into a response. */
interface Children {
  name: string;
  type: ResourceType;
  items: Item[];
  hasMore: boolean;
}

/** The names of the children that a single resource always includes. */
export function alwaysIn({ expand = {} }: Pick<Resource, "expand">): string[] {
  return Object.entries(expand).flatMap(([name, one]) => ("children" in one && one.always !== undefined ? [name] : []));
}

/** Reads the children that a single resource always includes. */
export function readChildren(
  resource: Pick<Resource, "expand">,
  organisationId: number,
  id: number,
  table: Table,
): Promise<Children[]> {
  const always = new Set(alwaysIn(resource));
  const read = Object.entries(resource.expand ?? {}).map(async ([name, one]) => {
    if (!("children" in one && always.has(name))) return [];
    const list = declaredList<Pick<Resource, "type" | "lists">>(resources[one.children], one.list, organisationId, id);
    return [{ name, type: one.children, ...(await listFirstItems(table, list, maximumBodyBytes)) }];
  });
  return Promise.all(read).then((all) => all.flat());
}

/** A row with as many of its children as fit into a response. */
export function withChildren<Row extends object>(row: Row, children: readonly Children[]): Row {
  let room = maximumBodyBytes - Buffer.byteLength(JSON.stringify(row));
  const members = children.map(({ name, type, items, hasMore }) => {
    const resource: Resource = resources[type];
    const stored = storedSchema(resource);
    const all = items.map((item) => readable(stored, item)).filter((one) => one !== undefined);
    const shown = fitting(all, room);
    room -= Buffer.byteLength(JSON.stringify(shown));
    return { [name]: shown, ...((hasMore || shown.length < all.length) && { [`has_more_${name}`]: true }) };
  });
  return Object.assign({}, row, ...members);
}
