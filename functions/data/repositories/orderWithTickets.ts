import { notFound } from "../../problem.ts";
import type { OrderWithTickets } from "../../resources/order.ts";
import { Ticket } from "../../resources/ticket.ts";
import { StoredOrder } from "../records/storedOrder.ts";
import type { Item } from "../table/item.ts";
import { keys, lists } from "../table/keys.ts";
import { getItem, listAllItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";

/** Reads an order's item, and its public form with its tickets. @throws Problem `not_found` */
export async function readOrder(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await Promise.all([
    getItem(table, keys.order(organisationId, id)),
    readTickets(table, organisationId, id),
  ]);
  if (!order) throw notFound("order");
  return { order, shown: withTickets(order, tickets) };
}

export function readTickets(table: Table, organisationId: number, orderId: number): Promise<Item[]> {
  return listAllItems(table, lists.orderTickets(organisationId, orderId));
}

/** The public form of an order with its tickets. */
export function withTickets(order: Item, tickets: Item[]): OrderWithTickets {
  return { ...StoredOrder.parse(order), tickets: tickets.map((ticket) => Ticket.parse(ticket)) };
}
