import { type Expansion, maximumChildren } from "../resources/expanded.ts";
import { fitting, maximumBodyBytes, type Page } from "../resources/page.ts";
import { type Resource, storedSchema } from "../resources/resource.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { declaredList, type List, listAttributes, placeOf } from "../table/lists.ts";
import { getItems, listItems } from "../table/reads.ts";
import { attributesOf, readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { encodeCursor } from "../values/cursor.ts";

/** A row with at least these fields, and what it is expanded by. */
type Row = { id: number };

interface Expanding {
  organisationId: number;
  table: Table;
  expansions: Readonly<Record<string, Expansion>>;
  /** The names in the request's `expand`. */
  names: readonly string[];
}

/** What an expansion reads for a row: an item or a list. */
interface Part {
  name: string;
  resource: Resource;
  /** The partition, which only this part has. */
  id: string;
  from: { key: ItemKey } | { list: List };
}

/** A row with three lists and four items of any size then fits into a response. */
const maximumListBytes = maximumBodyBytes / 8;

/** The most lists that a response includes: each is a query. */
const maximumLists = 100;

/** A row with what `expand` names. */
export async function expandRow<One extends Row>(row: One, expanding: Expanding): Promise<One> {
  const [expanded = row] = await firstExpanded([row], expanding);
  return expanded;
}

/** A page with what `expand` names, shorter if its rows do not fit into a response. @param list the page's. */
export async function expandPage<One extends Row>(
  page: Page<One>,
  expanding: Expanding,
  { resource, list }: { resource: Resource; list: List },
): Promise<Page<One>> {
  if (expanding.names.length === 0) return page;
  const lists = expanding.names.filter((name) => "list" in (expanding.expansions[name] ?? {})).length;
  const rows = lists === 0 ? page.data : page.data.slice(0, Math.floor(maximumLists / lists));
  const data = await firstExpanded(rows, expanding);
  const last = data.at(-1);
  if (last === undefined || data.length === page.data.length) return { ...page, data };
  const position = placeOf(resource, expanding.organisationId, last)[listAttributes(list).sortKey];
  const pagination = { ...page.pagination, has_more: true, next_cursor: encodeCursor(list, String(position)) };
  return { data, pagination };
}

/** Reads the parts of rows, each once. */
class Parts {
  readonly #expanding: Expanding;
  /** By the part's id. */
  readonly #read = new Map<string, { members: object; bytes: number }>();
  readonly #sizes = sizesByName();

  constructor(expanding: Expanding) {
    this.#expanding = expanding;
  }

  get count(): number {
    return this.#read.size;
  }

  /** The different parts of rows that were not read. */
  unread(rows: readonly Row[]): Part[] {
    const unread = rows.flatMap((row) => this.#partsOf(row)).filter(({ id }) => !this.#read.has(id));
    return [...new Map(unread.map((part) => [part.id, part])).values()];
  }

  async read(parts: readonly Part[]): Promise<void> {
    const lists = parts.map((part) => "list" in part.from && this.#readList(part, part.from.list));
    await Promise.all([this.#readItems(parts.filter(({ from }) => "key" in from)), ...lists]);
  }

  /** The size of a row with its parts, also those that were not read. */
  expectedBytes(row: Row): number {
    const bytesOf = ({ id, name }: Part) => this.#read.get(id)?.bytes ?? this.#sizes.expected(name);
    return this.#partsOf(row).reduce((sum, part) => sum + bytesOf(part), jsonBytes(row));
  }

  /** A row whose parts were read, with them. */
  expand<One extends Row>(row: One): One {
    const membersOf = (name: string) => this.#read.get(this.#partOf(row, name)?.id ?? "")?.members ?? { [name]: null };
    return Object.assign({}, row, ...this.#expanding.names.map(membersOf));
  }

  #partsOf(row: Row): Part[] {
    return this.#expanding.names.flatMap((name) => this.#partOf(row, name) ?? []);
  }

  /** Undefined if the row has no id of it. */
  #partOf(row: Row, name: string): Part | undefined {
    const { organisationId, expansions } = this.#expanding;
    const expansion = expansions[name];
    if (!expansion) throw new Error(`Nothing is declared for ${name}.`);
    const { resource } = expansion;
    if ("list" in expansion) {
      const list = declaredList(resource, expansion.list, organisationId, row.id);
      return { name, resource, id: list.partition, from: { list } };
    }
    const id = Object.entries(row).find(([field]) => field === expansion.field)?.[1];
    if (typeof id !== "number") return undefined;
    const key = keys[resource.type](organisationId, id);
    return { name, resource, id: key.PK, from: { key } };
  }

  async #readItems(parts: readonly Part[]): Promise<void> {
    const itemKeys = parts.flatMap(({ from }) => ("key" in from ? from.key : []));
    const found = await getItems(this.#expanding.table, itemKeys, { isConsistent: false });
    const items = new Map(found.map((item) => [item.PK, item]));
    for (const part of parts) {
      const item = items.get(part.id);
      this.#keep(part, { [part.name]: (item && readable(storedSchema(part.resource), item)) ?? null });
    }
  }

  async #readList(part: Part, list: List): Promise<void> {
    const { name, resource } = part;
    const stored = storedSchema(resource);
    const attributes = attributesOf(stored);
    const { items, lastSortKey } = await listItems(this.#expanding.table, list, maximumChildren, { attributes });
    const all = items.map((item) => readable(stored, item)).filter((row) => row !== undefined);
    const rows = fitting(all, maximumListBytes);
    const hasMore = lastSortKey !== undefined || rows.length < all.length;
    this.#keep(part, { [name]: rows, ...(hasMore && { [`has_more_${name}`]: true }) });
  }

  #keep({ id, name }: Part, members: object): void {
    const bytes = jsonBytes(members);
    this.#read.set(id, { members, bytes });
    this.#sizes.add(name, bytes);
  }
}

/** DynamoDB's limit for an item. */
const maximumItemBytes = 400 * 1024;

function sizesByName() {
  const sizes = new Map<string, { count: number; total: number; largest: number }>();
  return {
    add(name: string, bytes: number): void {
      const { count, total, largest } = sizes.get(name) ?? { count: 0, total: 0, largest: 0 };
      sizes.set(name, { count: count + 1, total: total + bytes, largest: Math.max(largest, bytes) });
    },

    /** Between the average and the largest: the average expects too little where large ones follow many small ones. */
    expected(name: string): number {
      const seen = sizes.get(name);
      return seen ? Math.sqrt((seen.total / seen.count) * seen.largest) : maximumItemBytes;
    },
  };
}

/** About as many items of any size fit into a response. */
const fewParts = Math.floor(maximumBodyBytes / maximumItemBytes);
/** Of at least two rows, far apart, because neighbours may be smaller than the others. */
const sampledParts = 5;
/** In one call. */
const maximumReads = 100;
/** A call reads at most this many times as many as were read before, because those may be smaller than the others. */
const growth = 10;

/**
 * The first rows with their parts, as many as fit into a response, but at least one.
 *
 * Sizes are only known after reading. To read little more than fits, it reads the parts of a sample, and then those that are expected to fit.
 * A page that is half full is not worth further calls, unless they complete it.
 */
async function firstExpanded<One extends Row>(all: readonly One[], expanding: Expanding): Promise<One[]> {
  const parts = new Parts(expanding);
  const shown: One[] = [];
  let room = maximumBodyBytes;
  let next = parts.unread(all);
  if (next.length > fewParts) next = parts.unread(spread(all, Math.ceil(sampledParts / expanding.names.length)));
  for (;;) {
    await parts.read(next);
    for (const row of all.slice(shown.length)) {
      if (parts.unread([row]).length > 0) break;
      const expanded = parts.expand(row);
      room -= jsonBytes(expanded);
      if (room < 0 && row !== all[0]) return shown;
      shown.push(expanded);
    }
    let bytes = 0;
    const affordable = all.slice(shown.length).filter((row) => {
      bytes += parts.expectedBytes(row);
      return bytes <= room || row === all[0];
    });
    next = parts.unread(affordable).slice(0, Math.min(maximumReads, growth * parts.count));
    const isComplete = shown.length + affordable.length === all.length;
    if (next.length === 0 || (room < maximumBodyBytes / 2 && !isComplete)) return shown;
  }
}

/** The first row, the last one, and others at even distances. */
function spread<One>(rows: readonly One[], number: number): One[] {
  const gaps = Math.max(1, number - 1);
  const places = Array.from({ length: gaps + 1 }, (_, gap) => Math.round((gap * (rows.length - 1)) / gaps));
  return places.flatMap((place) => rows[place] ?? []);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
