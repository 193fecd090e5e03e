import { instantMs } from "../../resources/instant.ts";
import type { Order } from "../../resources/order.ts";
import type { SyncPage, SyncQuery } from "../../resources/syncPage.ts";
import { StoredOrder } from "../records/orderItem.ts";
import { decodeCursor, encodeCursor } from "../table/cursor.ts";
import { instantSortKey, lists } from "../table/keys.ts";
import { listRange } from "../table/reads.ts";
import { childLists } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { readOrder } from "./orderWithTickets.ts";

/**
 * Changes are shown only after this time, when their order is final: writers' clocks differ by a few seconds at most, a write succeeds within
 * seconds of its stamp or gets a new stamp, and the index follows within a second.
 */
export const horizonMs = 10_000;

const beginning = "0000-01-01T00:00:00.000Z";

/** One organisation's orders. */
export function orderRepository(organisationId: number, table: Table) {
  return {
    /**
     * One page of the orders by the time at which their latest change was accepted, up to the horizon. No change can appear before a position
     * that was returned, so a caller who continues from there misses nothing.
     */
    async listChanges({ per_page, cursor, changed_since = beginning }: SyncQuery): Promise<SyncPage<Order>> {
      const list = lists.orders(organisationId);
      const since = new Date(instantMs(changed_since)).toISOString();
      const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
      // Whole seconds, so that a request that is repeated within a second gets the same response.
      const before = new Date(Math.floor((Date.now() - horizonMs) / 1_000) * 1_000).toISOString();
      const { items, lastSortKey } = await listRange(table, list, per_page, { since, after, before });
      const position = items.at(-1)?.sortKey ?? after ?? instantSortKey(since, 0);
      const resume_cursor = encodeCursor(list.partition, position);
      const has_more = lastSortKey !== undefined;
      return {
        data: items.map(({ item }) => StoredOrder.parse(item)),
        pagination: { per_page, has_more, next_cursor: has_more ? resume_cursor : null, resume_cursor },
      };
    },

    /** The order with its tickets. @throws Problem `not_found` */
    get: async (id: number) => (await readOrder(table, organisationId, id)).shown,

    listOfDate: childLists(organisationId, table, StoredOrder)(lists.dateOrders, "date"),
  };
}
