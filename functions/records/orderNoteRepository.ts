import { randomUUID } from "node:crypto";
import { notFound, preconditionFailed } from "../problem.ts";
import { resources } from "../resources/index.ts";
import { type Order, orders, StoredOrder } from "../resources/order.ts";
import { expansionsOf } from "../resources/resource.ts";
import { type Item, isTombstone } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { updateItem, updateOf } from "../table/writes.ts";
import { acceptChange, type ChangeTime } from "./acceptChange.ts";
import { changeTimeAttribute } from "./changeTime.ts";
import { readChildren, withChildren } from "./resourceRepository.ts";

const expansions = expansionsOf(orders, resources);

export function orderNoteRepository(organisationId: number, table: Table) {
  /** @param seen the order's item, if the update must fail when it has changed. */
  function update(id: number, note: string | null, seen: Item | undefined): Promise<Item> {
    const key = itemKeys.order(organisationId, id);
    const revision = randomUUID();
    const write = ({ attributes, condition, values }: ChangeTime) => {
      const api_note = { admin_note: note, date_modified: new Date(table.clock.nowMs()).toISOString() };
      // Each change increases the change time.
      const isSeen = seen ? [`${changeTimeAttribute} = :seen`] : [];
      return updateItem(
        table,
        key,
        updateOf(
          { set: { ...attributes, api_note, revision } },
          {
            condition: ["attribute_exists(PK)", "attribute_not_exists(deleted)", condition, ...isSeen].join(" AND "),
            values: { ...values, ...(seen && { ":seen": seen[changeTimeAttribute] }) },
          },
        ),
      );
    };
    return acceptChange<Item>(table, (refusal) => {
      if (refusal) {
        const { item } = refusal;
        if (item && item.revision === revision) return { result: item, stored: key };
        if (seen && item?.[changeTimeAttribute] !== seen[changeTimeAttribute]) throw preconditionFailed();
        if (!item || isTombstone(item)) throw notFound("order");
      }
      return { key, write };
    });
  }

  /** The order's item, read or written, and the order as `GET /v1/orders/{id}` returns it. */
  async function whole(id: number, item: Promise<Item | undefined>) {
    const [order, tickets] = await Promise.all([item, readChildren(expansions, organisationId, id, table)]);
    if (!order) throw notFound("order");
    return { order, shown: withChildren(StoredOrder.parse(order), tickets) };
  }

  return {
    /**
     * Sets or removes a note in one conditional update, and moves the order to the end of the changes.
     * @param check throws if the current order is not as the caller requires. Then, and if the order changes meanwhile, nothing is written.
     * @returns the order with its tickets.
     * @throws Problem `not_found`
     * @throws Problem `precondition_failed` if the order has changed since the check.
     */
    async set(id: number, note: string | null, check?: (shown: Order) => void): Promise<Order> {
      const seen = check && (await whole(id, getItem(table, itemKeys.order(organisationId, id))));
      if (seen) check?.(seen.shown);
      return (await whole(id, update(id, note, seen?.order))).shown;
    },
  };
}
