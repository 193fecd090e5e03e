import { fitting, maximumBodyBytes, type Page } from "../resources/page.ts";
import { type Expansions, maximumChildren, type Resource, storedSchema } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { declaredList, type List, listAttributes, placeOf } from "../table/lists.ts";
import { getItems, listItems, maximumPartitions, readSmallLists } from "../table/reads.ts";
import { attributesOf, readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { encodeCursor } from "../values/cursor.ts";

type Row = Record<string, unknown>;

interface Expanding {
  organisationId: number;
  table: Table;
  expansions: Expansions;
  names: readonly string[];
}

/** An item or a list that an expansion reads for a row. */
interface Part {
  name: string;
  resource: Resource;
  /** The partition, which only this part has. */
  id: string;
}
type ItemPart = Part & { key: ItemKey };
type ListPart = Part & { list: List };

/** A row with three lists and four items of any size then fits into a response. */
const maximumListBytes = maximumBodyBytes / 8;

/** The most lists that a response includes: each may need a query. */
const maximumLists = 100;

export async function expandRow<One extends Row>(row: One, expanding: Expanding): Promise<One> {
  const [expanded = row] = await firstExpanded([row], expanding);
  return expanded;
}

export function maximumRows({ expansions, names }: Pick<Expanding, "expansions" | "names">): number {
  const lists = names.filter((name) => "children" in (expansions[name] ?? {})).length;
  return lists === 0 ? Infinity : Math.floor(maximumLists / lists);
}

/** A page with its expansions, shorter if its rows do not fit into a response. @param list the page's. */
export async function expandPage<One extends Row>(
  page: Page<One>,
  expanding: Expanding,
  { resource, list }: { resource: Pick<Resource, "type" | "lists">; list: List },
): Promise<Page<One>> {
  const data = await firstExpanded(page.data, expanding);
  const last = data.at(-1);
  if (last === undefined || data.length === page.data.length) return { ...page, data };
  const position = placeOf(resource, expanding.organisationId, last)[listAttributes(list).sortKey];
  const pagination = { ...page.pagination, has_more: true, next_cursor: encodeCursor(list, String(position)) };
  return { data, pagination };
}

class Parts {
  readonly #expanding: Expanding;
  /** Added fields by the part's id. */
  readonly #read = new Map<string, object>();

  constructor(expanding: Expanding) {
    this.#expanding = expanding;
  }

  /** Reads the lists of these rows that together are small, in a few calls. */
  async readSmallLists(rows: readonly Row[]): Promise<void> {
    const lists = Map.groupBy(
      this.#partsOf(rows).filter((part) => "list" in part),
      ({ name }) => name,
    );
    const groups = [...lists.values()].flatMap((all) =>
      Array.from({ length: Math.ceil(all.length / maximumPartitions) }, (_, group) =>
        all.slice(group * maximumPartitions, (group + 1) * maximumPartitions),
      ),
    );
    // A single list is left to a query, which reads fewer rows.
    await Promise.all(groups.map((parts) => parts.length > 1 && this.#readTogether(parts)));
  }

  async read(rows: readonly Row[]): Promise<void> {
    const unread = new Map(this.#partsOf(rows).flatMap((part) => (this.#read.has(part.id) ? [] : [[part.id, part]])));
    const parts = [...unread.values()];
    const lists = parts.map((part) => "list" in part && this.#readList(part));
    await Promise.all([this.#readItems(parts.filter((part) => "key" in part)), ...lists]);
  }

  expand<One extends Row>(row: One): One {
    const fieldsOf = (name: string) => this.#read.get(this.#partOf(row, name)?.id ?? "") ?? { [name]: null };
    return Object.assign({}, row, ...this.#expanding.names.map(fieldsOf));
  }

  #partsOf(rows: readonly Row[]): (ItemPart | ListPart)[] {
    return rows.flatMap((row) => this.#expanding.names.flatMap((name) => this.#partOf(row, name) ?? []));
  }

  /** Undefined if the row refers to no item. */
  #partOf(row: Row, name: string): ItemPart | ListPart | undefined {
    const { organisationId, expansions } = this.#expanding;
    const expansion = expansions[name];
    if (!expansion) throw new Error(`Nothing is declared for ${name}.`);
    if ("children" in expansion) {
      const { children: resource } = expansion;
      const list = declaredList(resource, expansion.list, organisationId, row.id);
      return { name, resource, id: list.partition, list };
    }
    const id = row[expansion.field];
    if (typeof id !== "number") return undefined;
    const { one: resource } = expansion;
    const key = itemKeys[resource.type](organisationId, id);
    return { name, resource, id: key.PK, key };
  }

  async #readItems(parts: readonly ItemPart[]): Promise<void> {
    const itemKeys = parts.map(({ key }) => key);
    const found = await getItems(this.#expanding.table, itemKeys, { isConsistent: false });
    const items = new Map(found.map((item) => [item.PK, item]));
    for (const { id, name, resource } of parts) {
      const item = items.get(id);
      this.#read.set(id, { [name]: (item && readable(storedSchema(resource), item)) ?? null });
    }
  }

  /** @param parts of one name. */
  async #readTogether(parts: readonly ListPart[]): Promise<void> {
    const lists = parts.map(({ list }) => list);
    const attributes = parts[0] && attributesOf(storedSchema(parts[0].resource));
    const found = await readSmallLists(this.#expanding.table, lists, { attributes });
    if (found) for (const part of parts) this.#add(part, found.get(part.id) ?? []);
  }

  async #readList(part: ListPart): Promise<void> {
    const attributes = attributesOf(storedSchema(part.resource));
    const { items, lastSortKey } = await listItems(this.#expanding.table, part.list, maximumChildren, { attributes });
    this.#add(part, items, lastSortKey !== undefined);
  }

  #add({ id, name, resource }: ListPart, items: readonly Item[], hasMore = items.length > maximumChildren): void {
    const stored = storedSchema(resource);
    const first = items.slice(0, maximumChildren).map((item) => readable(stored, item));
    const all = first.filter((row) => row !== undefined);
    const rows = fitting(all, maximumListBytes);
    const isCut = hasMore || rows.length < all.length;
    this.#read.set(id, { [name]: rows, ...(isCut && { [`has_more_${name}`]: true }) });
  }
}

/** Parts in the first round: about as many items of the maximum size fit into a response. */
const firstParts = 8;
/** Each round reads this many times as many parts as the one before, until it is {@link maximumParts}. */
const growth = 8;
/** Three of DynamoDB's batches: at most 120 MB, of which most would not fit into the response. */
const maximumParts = 300;

/**
 * The first rows with their parts, as many as fit into a response, but at least one. Sizes are only known after reading, so it reads a few rows
 * first, and then more until the response is full.
 */
async function firstExpanded<One extends Row>(all: readonly One[], expanding: Expanding): Promise<One[]> {
  const parts = new Parts(expanding);
  await parts.readSmallLists(all);
  const shown: One[] = [];
  let room = maximumBodyBytes;
  for (let number = firstParts; shown.length < all.length; number = Math.min(number * growth, maximumParts)) {
    const rows = Math.ceil(number / expanding.names.length);
    const next = all.slice(shown.length, shown.length + rows);
    await parts.read(next);
    for (const row of next.map((one) => parts.expand(one))) {
      room -= Buffer.byteLength(JSON.stringify(row));
      if (room < 0 && shown.length > 0) return shown;
      shown.push(row);
    }
  }
  return shown;
}
