import { notFound } from "../problem.ts";
import { resources } from "../resources/index.ts";
import { type Order, orders } from "../resources/order.ts";
import { expansionsOf, storedSchema } from "../resources/resource.ts";
import type { Ticket } from "../resources/ticket.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { readChildren, withChildren } from "./wholeChildren.ts";

const expansions = expansionsOf(orders, resources);

/** An order as `GET /v1/orders/{id}` returns it. */
export type OrderWithTickets = Order & { tickets: Ticket[]; has_more_tickets?: boolean };

/** Reads an order's item, and its public form with its tickets. @throws Problem `not_found` */
export async function readOrder(table: Table, organisationId: number, id: number) {
  const [order, tickets] = await Promise.all([
    getItem(table, itemKeys.order(organisationId, id)),
    readTickets(table, organisationId, id),
  ]);
  if (!order) throw notFound("order");
  return { order, shown: withTickets(storedSchema(orders).parse(order), tickets) };
}

export function readTickets(table: Table, organisationId: number, orderId: number): ReturnType<typeof readChildren> {
  return readChildren(expansions, organisationId, orderId, table);
}

/** An order with as many of its tickets as fit into a response. */
export function withTickets(order: Order, tickets: Awaited<ReturnType<typeof readTickets>>): OrderWithTickets {
  const shown: Order & Partial<OrderWithTickets> = withChildren(order, tickets);
  return { ...shown, tickets: shown.tickets ?? [] };
}
