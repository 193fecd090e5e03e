import type { Order } from "../../resources/order.ts";
import type { Page, PageQuery } from "../../resources/page.ts";
import { StoredOrder } from "../records/storedOrder.ts";
import { lists } from "../table/keys.ts";
import { childLists, listIndexedRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { readOrder } from "./orderWithTickets.ts";

/** One organisation's orders. */
export function orderRepository(organisationId: number, table: Table) {
  return {
    /** One page of the orders, newest first. @param reference only orders with this reference. */
    list: (query: PageQuery & { reference?: string }): Promise<Page<Order>> => {
      const { reference } = query;
      const list =
        reference === undefined ? lists.orders(organisationId) : lists.ordersByReference(organisationId, reference);
      return listIndexedRows(table, StoredOrder, list, query);
    },

    /** The order with its tickets. @throws Problem `not_found` */
    get: async (id: number) => (await readOrder(table, organisationId, id)).shown,

    listOfDate: childLists(organisationId, table, StoredOrder)(lists.dateOrders, "date"),
  };
}
