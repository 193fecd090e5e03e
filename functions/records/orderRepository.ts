import type * as z from "zod";
import { notFound } from "../problem.ts";
import { type ExpandedOrder, type OrdersQuery, type OrderWithTickets, orderExpansions } from "../resources/expanded.ts";
import { type Order, orders, StoredOrder } from "../resources/order.ts";
import { fitting, maximumBodyBytes, type Page } from "../resources/page.ts";
import { storedSchema } from "../resources/resource.ts";
import { tickets } from "../resources/ticket.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { declaredList } from "../table/lists.ts";
import { getItem, listFirstItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { expandPage, expandRow, maximumRows } from "./expansion.ts";
import { repositoryOf } from "./resourceRepository.ts";

const StoredTicket = storedSchema(tickets);

export function orderRepository(organisationId: number, table: Table) {
  const rows = repositoryOf(orders)(organisationId, table);
  const expanding = (names: readonly string[]) => ({ organisationId, table, expansions: orderExpansions, names });

  return {
    /** @throws Problem `not_found` */
    async get(id: number, names: readonly string[] = []): Promise<OrderWithTickets> {
      const [order, tickets] = await readItems(table, organisationId, id);
      const others = names.filter((name) => name !== "tickets");
      return withTickets(await expandRow(StoredOrder.parse(order), expanding(others)), tickets);
    },

    /** @throws Problem `invalid_request` for a cursor of another list */
    async list(request: z.output<typeof OrdersQuery>): Promise<Page<ExpandedOrder>> {
      const { reference, email, expand, ...query } = request;
      const [name, value] = email !== undefined ? (["byEmail", email] as const) : (["byReference", reference] as const);
      const read = { ...query, per_page: Math.min(query.per_page, maximumRows(expanding(expand))) };
      const page = await (value === undefined ? rows.all(read) : rows[name](value, read));
      const list = declaredList(orders, value === undefined ? "all" : name, organisationId, value);
      const { data, pagination } = await expandPage(page, expanding(expand), { resource: orders, list });
      return { data, pagination: { ...pagination, per_page: query.per_page } };
    },
  };
}

/** Reads an order's item, and its public form with its tickets. @throws Problem `not_found` */
export async function readOrder(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await readItems(table, organisationId, id);
  return { order, shown: withTickets(StoredOrder.parse(order), tickets) };
}

async function readItems(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await Promise.all([
    getItem(table, itemKeys.order(organisationId, id)),
    readTickets(table, organisationId, id),
  ]);
  if (!order) throw notFound("order");
  return [order, tickets] as const;
}

/** At least as many tickets as fit into a response. */
interface FirstTickets {
  items: Item[];
  hasMore: boolean;
}

export function readTickets(table: Table, organisationId: number, orderId: number): Promise<FirstTickets> {
  return listFirstItems(table, declaredList(tickets, "ofOrder", organisationId, orderId), maximumBodyBytes);
}

/** An order with as many of its tickets as fit into a response. */
export function withTickets(order: Order, { items, hasMore }: FirstTickets): OrderWithTickets {
  const room = maximumBodyBytes - Buffer.byteLength(JSON.stringify(order));
  const all = items.map((ticket) => readable(StoredTicket, ticket)).filter((ticket) => ticket !== undefined);
  const shown = fitting(all, room);
  return { ...order, tickets: shown, ...((hasMore || shown.length < all.length) && { has_more_tickets: true }) };
}
