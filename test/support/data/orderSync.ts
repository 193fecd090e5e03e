import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { recordItem } from "../../../functions/data/records/recordItem.ts";
import { isOrderItem, upsertOrder } from "../../../functions/data/records/upsertOrder.ts";
import { horizonMs } from "../../../functions/data/repositories/orderRepository.ts";
import type { Table } from "../../../functions/data/table/table.ts";
import { listOrders } from "../../../functions/endpoints/listOrders.ts";
import { Order } from "../../../functions/resources/order.ts";
import type { Client } from "../http/client.ts";
import { orderRecord } from "./records.ts";

export interface OrderSync {
  table: Table;
  client: Client;
  organisationId: number;
  /** The number of orders. Each is inserted, and every third is changed, some of them twice. */
  orders: number;
}

/** How far each writer's clock is ahead, in milliseconds: the clocks are up to two seconds apart. */
const clocksAheadMs = [-1_000, -400, 0, 700, 1_000];
const pollMs = 100;

/**
 * Lets several writers with different clocks insert and change orders, some with an old `date_modified`, while a client follows the
 * documented recipe: it reads page by page from the beginning and continues from the last page's `resume_cursor`.
 *
 * @returns the orders that the client has at the end, and the true ones.
 */
export async function syncOrders({ table, client, organisationId, orders }: OrderSync) {
  const truth = new Map<number, Order>();
  let isWriting = true;
  const work = plan(orders).values();
  const writers = clocksAheadMs.map(async (aheadMs) => {
    for (const data of work) {
      truth.set(data.id, data);
      const item = recordItem(orderRecord(organisationId, data.id, data));
      assert.ok(isOrderItem(item));
      await upsertOrder(table, item, false, () => Date.now() + aheadMs);
    }
  });
  const writing = Promise.all(writers).finally(() => {
    isWriting = false;
  });
  const copy = new Map<number, Order>();
  let cursor: string | undefined;
  let endMs = Number.POSITIVE_INFINITY;
  let turns = 0;
  while (Date.now() < endMs) {
    const page = await client.page(listOrders.path, {
      per_page: [7, 50, 200][turns++ % 3] ?? 50,
      ...(cursor && { cursor }),
    });
    for (const row of page.data) copy.set(Order.parse(row).id, Order.parse(row));
    cursor = page.pagination.resume_cursor;
    if (!page.pagination.has_more) await wait(pollMs);
    // The last change appears after the horizon, plus a second of clock difference, plus a second of rounding. One more second is spare.
    if (!isWriting && endMs === Number.POSITIVE_INFINITY) endMs = Date.now() + horizonMs + 3_000;
  }
  await writing;
  return { copy: sorted(copy), truth: sorted(truth) };
}

/** The records in a sequence that never has two of the same order in progress at once. */
function plan(orders: number): Order[] {
  const states = ["pending", "paid", "refunded"] as const;
  const inserts = Array.from({ length: orders }, (_, index) => orderRecord(1, index + 1, { status: "pending" }).data);
  const change = (round: number) =>
    inserts
      .filter(({ id }) => id % 3 ** round === 0)
      .map((data) => ({
        ...data,
        status: states[round] ?? "paid",
        reference: `R${round}`,
        date_modified: data.id % 2 ? "1999-12-31T23:59:59Z" : data.date_modified,
      }));
  return [...inserts, ...change(1), ...change(2)];
}

function sorted(orders: Map<number, Order>): Order[] {
  return [...orders.values()].sort((one, other) => one.id - other.id);
}
