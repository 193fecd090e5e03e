import { notFound } from "../../problem.ts";
import type { OrderWithTickets } from "../../resources/order.ts";
import { Ticket } from "../../resources/ticket.ts";
import { StoredOrder } from "../records/orderItem.ts";
import type { Item } from "../table/item.ts";
import { keys, lists } from "../table/keys.ts";
import { getItem, listAllItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";

/** An order's item, and how it is shown with its tickets; both are asked for at once. @throws Problem `not_found` */
export async function readOrder(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await Promise.all([
    getItem(table, keys.order(organisationId, id)),
    readTickets(table, organisationId, id),
  ]);
  if (!order) throw notFound("order");
  return { order, shown: withTickets(order, tickets) };
}

/** The items of an order's tickets. */
export function readTickets(table: Table, organisationId: number, orderId: number): Promise<Item[]> {
  return listAllItems(table, lists.orderTickets(organisationId, orderId));
}

/** An order as it is shown with its tickets. */
export function withTickets(order: Item, tickets: Item[]): OrderWithTickets {
  return { ...StoredOrder.parse(order), tickets: tickets.map((ticket) => Ticket.parse(ticket)) };
}
