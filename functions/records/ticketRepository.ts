import type * as z from "zod";
import { type ExpandedTicket, type Expansion, expansions, type TicketsQuery } from "../resources/expandedTicket.ts";
import { maximumBodyBytes, type Page } from "../resources/page.ts";
import { storedSchema } from "../resources/resource.ts";
import { type Ticket, tickets } from "../resources/ticket.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { declaredList, listAttributes, placeOf } from "../table/lists.ts";
import { getItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { encodeCursor } from "../values/cursor.ts";
import { resourceOf } from "./recordItem.ts";
import { repositoryOf } from "./resourceRepository.ts";

/** One organisation's tickets with the resources that they name. */
export function ticketRepository(organisationId: number, table: Table) {
  const rows = repositoryOf(tickets)(organisationId, table);

  /** @throws Problem `not_found` */
  async function get(id: number, names: Expansion[]): Promise<ExpandedTicket> {
    const ticket = await rows.get(id);
    const [expanded = ticket] = await firstExpanded([ticket], names, expander(organisationId, table, names));
    return expanded;
  }

  /** @throws Problem `invalid_request` for a cursor of another list */
  async function byBarcode(request: z.output<typeof TicketsQuery>): Promise<Page<ExpandedTicket>> {
    const { barcode, expand: names, ...query } = request;
    const page = await rows.byBarcode(barcode, query);
    const data = await firstExpanded(page.data, names, expander(organisationId, table, names));
    const last = data.at(-1);
    if (last === undefined || data.length === page.data.length) return { ...page, data };
    // The page gets shorter, with the cursor after its last row.
    const list = declaredList(tickets, "byBarcode", organisationId, barcode);
    const position = placeOf(tickets, organisationId, last)[listAttributes(list).sortKey];
    const pagination = { ...page.pagination, has_more: true, next_cursor: encodeCursor(list, String(position)) };
    return { data, pagination };
  }

  return { get, byBarcode };
}

/** Reads the named resources of tickets, each once. */
function expander(organisationId: number, table: Table, names: Expansion[]) {
  /** By partition key. */
  const read = new Map<string, { resource: object | null; bytes: number }>();
  const sizes = sizesByType();

  function keyOf(ticket: Ticket, name: Expansion): ItemKey | undefined {
    const { resource, field } = expansions[name];
    const id = ticket[field];
    return id === null ? undefined : keys[resource.type](organisationId, id);
  }
  const keysOf = (ticket: Ticket) => names.flatMap((name) => keyOf(ticket, name) ?? []);

  return {
    count: () => read.size,

    /** The different resources of tickets that were not read. */
    unread(all: Ticket[]): ItemKey[] {
      const unread = all.flatMap(keysOf).filter(({ PK }) => !read.has(PK));
      return [...new Map(unread.map((key) => [key.PK, key])).values()];
    },

    async read(keys: ItemKey[]): Promise<void> {
      const items = new Map((await getItems(table, keys, { isConsistent: false })).map((item) => [item.PK, item]));
      for (const { PK, SK } of keys) {
        const declared = resourceOf(SK);
        const item = items.get(PK);
        const resource = (declared && item && readable(storedSchema(declared), item)) ?? null;
        const bytes = jsonBytes(resource);
        read.set(PK, { resource, bytes });
        sizes.add(SK, bytes);
      }
    },

    /** The size of a ticket with its resources, also those that were not read. */
    expectedBytes(ticket: Ticket): number {
      const bytesOf = ({ PK, SK }: ItemKey) => read.get(PK)?.bytes ?? sizes.expected(SK);
      return keysOf(ticket).reduce((sum, key) => sum + bytesOf(key), jsonBytes(ticket));
    },

    /** A ticket whose resources were read, with them. */
    expand(ticket: Ticket): ExpandedTicket {
      const resourceOf = (name: Expansion) => read.get(keyOf(ticket, name)?.PK ?? "")?.resource ?? null;
      return { ...ticket, ...Object.fromEntries(names.map((name) => [name, resourceOf(name)])) };
    },
  };
}

/** DynamoDB's limit for an item. */
const maximumItemBytes = 400 * 1024;

function sizesByType() {
  const sizes = new Map<string, { count: number; total: number; largest: number }>();
  return {
    add(type: string, bytes: number): void {
      const { count, total, largest } = sizes.get(type) ?? { count: 0, total: 0, largest: 0 };
      sizes.set(type, { count: count + 1, total: total + bytes, largest: Math.max(largest, bytes) });
    },

    /** Between the average and the largest: the average expects too little where large ones follow many small ones. */
    expected(type: string): number {
      const seen = sizes.get(type);
      return seen ? Math.sqrt((seen.total / seen.count) * seen.largest) : maximumItemBytes;
    },
  };
}

/** About as many resources of any size fit into a response. */
const fewResources = Math.floor(maximumBodyBytes / maximumItemBytes);
/** Of at least two tickets, far apart, because neighbours may be smaller than the others. */
const sampledResources = 5;
/** In one call. */
const maximumReads = 100;
/** A call reads at most this many times as many as were read before, because those may be smaller than the others. */
const growth = 10;

/**
 * The first tickets with their resources, as many as fit into a response, but at least one.
 *
 * Sizes are only known after reading. To read little more than fits, it reads the resources of a sample, and then those that are expected to fit.
 * A page that is half full is not worth further calls, unless they complete it.
 */
async function firstExpanded(
  all: Ticket[],
  names: Expansion[],
  resources: ReturnType<typeof expander>,
): Promise<ExpandedTicket[]> {
  const shown: ExpandedTicket[] = [];
  let room = maximumBodyBytes;
  let next = resources.unread(all);
  if (next.length > fewResources) next = resources.unread(spread(all, Math.ceil(sampledResources / names.length)));
  for (;;) {
    await resources.read(next);
    for (const ticket of all.slice(shown.length)) {
      if (resources.unread([ticket]).length > 0) break;
      const row = resources.expand(ticket);
      room -= jsonBytes(row);
      if (room < 0 && ticket !== all[0]) return shown;
      shown.push(row);
    }
    let bytes = 0;
    const affordable = all.slice(shown.length).filter((ticket) => {
      bytes += resources.expectedBytes(ticket);
      return bytes <= room || ticket === all[0];
    });
    next = resources.unread(affordable).slice(0, Math.min(maximumReads, growth * resources.count()));
    const isComplete = shown.length + affordable.length === all.length;
    if (next.length === 0 || (room < maximumBodyBytes / 2 && !isComplete)) return shown;
  }
}

/** The first row, the last one, and others at even distances. */
function spread(rows: Ticket[], number: number): Ticket[] {
  const gaps = Math.max(1, number - 1);
  const places = Array.from({ length: gaps + 1 }, (_, gap) => Math.round((gap * (rows.length - 1)) / gaps));
  return places.flatMap((place) => rows[place] ?? []);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
