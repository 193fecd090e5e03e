import { fitting, maximumBodyBytes } from "../resources/page.ts";
import { type Expansions, type Resource, storedSchema } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { declaredList } from "../table/lists.ts";
import { listFirstItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** A resource's rows of one type: at least as many as fit into a response. */
interface Children {
  name: string;
  resource: Resource;
  items: Item[];
  hasMore: boolean;
}

/** The names of the children that a single resource always includes. */
export function alwaysIn(expansions: Expansions): string[] {
  return Object.entries(expansions).flatMap(([name, one]) =>
    "children" in one && one.always !== undefined ? [name] : [],
  );
}

/** Reads the children that a single resource always includes. */
export function readChildren(
  expansions: Expansions,
  organisationId: number,
  id: number,
  table: Table,
): Promise<Children[]> {
  const always = new Set(alwaysIn(expansions));
  const read = Object.entries(expansions).map(async ([name, one]) => {
    if (!("children" in one && always.has(name))) return [];
    const { children: resource } = one;
    const list = declaredList(resource, one.list, organisationId, id);
    return [{ name, resource, ...(await listFirstItems(table, list, maximumBodyBytes)) }];
  });
  return Promise.all(read).then((all) => all.flat());
}

/** A row with as many of its children as fit into a response. */
export function withChildren<Row extends object>(row: Row, children: readonly Children[]): Row {
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
