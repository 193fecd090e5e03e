import type * as z from "zod";
import { type ExpandedTicket, type Expansion, expansions, type TicketsQuery } from "../resources/expandedTicket.ts";
import type { Page } from "../resources/page.ts";
import { storedSchema } from "../resources/resource.ts";
import { type Ticket, tickets } from "../resources/ticket.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import { fitting } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { repositoryOf } from "./resourceRepository.ts";

/** One organisation's tickets with the resources that they name. */
export function ticketRepository(organisationId: number, table: Table) {
  const rows = repositoryOf(tickets)(organisationId, table);

  /** @throws Problem `not_found` */
  async function get(id: number, names: Expansion[]): Promise<ExpandedTicket> {
    const ticket = await rows.get(id);
    const [expanded = ticket] = await expand([ticket], names);
    return expanded;
  }

  /** @throws Problem `invalid_request` for a cursor of another list */
  async function byBarcode(request: z.output<typeof TicketsQuery>): Promise<Page<ExpandedTicket>> {
    const { barcode, expand: names, ...query } = request;
    const page = await rows.byBarcode(barcode, query);
    if (names.length === 0) return page;
    const data = await expand(page.data, names);
    const { length } = fitting(data);
    if (length === data.length) return { ...page, data };
    // The page gets shorter, with the cursor after its last row. A page without a row would never end.
    const shorter = await rows.byBarcode(barcode, { ...query, per_page: Math.max(1, length) });
    const pagination = { ...shorter.pagination, per_page: query.per_page };
    return { data: await expand(shorter.data, names), pagination };
  }

  /** Adds the named resources to tickets, in one call of DynamoDB for up to 100 of them. */
  async function expand(all: Ticket[], names: Expansion[]): Promise<ExpandedTicket[]> {
    const keyOf = (ticket: Ticket, name: Expansion): ItemKey | undefined => {
      const { resource, field } = expansions[name];
      const id = ticket[field];
      return id === null ? undefined : keys[resource.type](organisationId, id);
    };
    const sought = all.flatMap((ticket) => names.flatMap((name) => keyOf(ticket, name) ?? []));
    const distinct = [...new Map(sought.map((key) => [key.PK, key])).values()];
    const found = await getItems(table, distinct, { isConsistent: false });
    const items = new Map(found.map((item) => [item.PK, item]));
    const resourceOf = (ticket: Ticket, name: Expansion) => {
      const item = items.get(keyOf(ticket, name)?.PK);
      return item ? storedSchema<z.ZodRawShape>(expansions[name].resource).parse(item) : null;
    };
    return all.map((ticket) => ({
      ...ticket,
      ...Object.fromEntries(names.map((name) => [name, resourceOf(ticket, name)])),
    }));
  }

  return { get, byBarcode };
}
