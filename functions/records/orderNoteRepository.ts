import { randomUUID } from "node:crypto";
import { notFound, preconditionFailed } from "../problem.ts";
import { StoredOrder } from "../resources/order.ts";
import { type Item, isTombstone } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import type { Table } from "../table/table.ts";
import { updateItem, updateOf } from "../table/writes.ts";
import { acceptChange, type ChangeTime } from "./acceptChange.ts";
import { changeTimeAttribute } from "./changeTime.ts";
import { type OrderWithTickets, readOrder, readTickets, withTickets } from "./orderRepository.ts";

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

  return {
    /**
     * Sets or removes a note in one conditional update, and moves the order to the end of the changes.
     * @param check throws if the current order is not as the caller requires. Then, and if the order changes meanwhile, nothing is written.
     * @throws Problem `not_found`
     * @throws Problem `precondition_failed` if the order has changed since the check.
     */
    async set(id: number, note: string | null, check?: (shown: OrderWithTickets) => void): Promise<OrderWithTickets> {
      const seen = check && (await readOrder(table, organisationId, id));
      if (seen) check?.(seen.shown);
      const [order, tickets] = await Promise.all([
        update(id, note, seen?.order),
        readTickets(table, organisationId, id),
      ]);
      return withTickets(StoredOrder.parse(order), tickets);
    },
  };
}
