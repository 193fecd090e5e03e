import { notFound } from "../problem.ts";
import { type OrderWithTickets, StoredOrder } from "../resources/order.ts";
import { fitting, maximumBodyBytes } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import { tickets } from "../resources/ticket.ts";
import type { Item } from "../table/item.ts";
import { keys } from "../table/keys.ts";
import { declaredList } from "../table/lists.ts";
import { getItem, listFirstItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

const StoredTicket = storedForm(tickets.schema);

/** One organisation's orders with their tickets. */
export function orderRepository(organisationId: number, table: Table) {
  /** @throws Problem `not_found` */
  const get = async (id: number) => (await readOrder(table, organisationId, id)).shown;
  return { get };
}

/** Reads an order's item, and its public form with its tickets. @throws Problem `not_found` */
export async function readOrder(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await Promise.all([
    getItem(table, keys.order(organisationId, id)),
    readTickets(table, organisationId, id),
  ]);
  if (!order) throw notFound("order");
  return { order, shown: withTickets(order, tickets) };
}

/** An order's first tickets: at least those that fit into a response. */
interface FirstTickets {
  items: Item[];
  hasMore: boolean;
}

export function readTickets(table: Table, organisationId: number, orderId: number): Promise<FirstTickets> {
  return listFirstItems(table, declaredList(tickets, "ofOrder", organisationId, orderId), maximumBodyBytes);
}

/** The public form of an order with as many of its tickets as fit into a response. */
export function withTickets(item: Item, { items, hasMore }: FirstTickets): OrderWithTickets {
  const order = StoredOrder.parse(item);
  const room = maximumBodyBytes - Buffer.byteLength(JSON.stringify(order));
  const all = items.map((ticket) => readable(StoredTicket, ticket)).filter((ticket) => ticket !== undefined);
  const shown = fitting(all, room);
  return { ...order, tickets: shown, ...((hasMore || shown.length < all.length) && { has_more_tickets: true }) };
}
