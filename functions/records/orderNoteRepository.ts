import { randomUUID } from "node:crypto";
import type * as z from "zod";
import { notFound, preconditionFailed } from "../problem.ts";
import { entityTag, isMatch, matchesEntityTag } from "../resources/entityTag.ts";
import { type ApiNote, StoredOrder } from "../resources/order.ts";
import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import type { Table } from "../table/table.ts";
import { type Expression, updateItem } from "../table/writes.ts";
import { type ChangeTime, changeTimeAttribute, writeWithChangeTime } from "./changeTime.ts";
import { type OrderWithTickets, readOrder, readTickets, withTickets } from "./orderRepository.ts";

const weakTag =
  "If-Match has a weak tag (W/), which never matches. Send the ETag as the API sent it; a proxy may have weakened it.";
const forbiddenTag = "If-None-Match matches the current resource.";

export function orderNoteRepository(organisationId: number, table: Table) {
  /** The order's item if the conditions are true; undefined without conditions. @throws Problem `precondition_failed` */
  async function matching(id: number, ifMatch?: string, ifNoneMatch?: string): Promise<Item | undefined> {
    if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
    const { order, shown } = await readOrder(table, organisationId, id);
    const tag = entityTag(JSON.stringify(shown));
    if (ifMatch !== undefined && !isMatch(ifMatch, tag)) {
      throw preconditionFailed(ifMatch.includes('W/"') ? weakTag : undefined);
    }
    if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, tag)) throw preconditionFailed(forbiddenTag);
    return order;
  }

  async function update(id: number, note: string | null, seen: Item | undefined): Promise<Item> {
    try {
      return await writeWithChangeTime(table, itemKeys.order(organisationId, id), (changeTime) =>
        updateOnce(id, note, changeTime, seen),
      );
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      throw seen === undefined ? notFound("order") : preconditionFailed();
    }
  }

  /** If the response is lost, the SDK repeats the update, whose condition is then false. */
  async function updateOnce(
    id: number,
    note: string | null,
    changeTime: ChangeTime,
    seen: Item | undefined,
  ): Promise<Item> {
    const revision = randomUUID();
    try {
      return await updateItem(
        table,
        itemKeys.order(organisationId, id),
        noteChange(
          { admin_note: note, date_modified: new Date(table.clock.nowMs()).toISOString() },
          revision,
          changeTime,
          seen,
        ),
      );
    } catch (error) {
      if (error instanceof ConditionFailed && error.item?.revision === revision) return error.item;
      throw error;
    }
  }

  return {
    /**
     * Sets or removes a note in one conditional update, and moves the order to the end of the changes.
     * @param ifMatch entity tags; one of them must match the current order.
     * @param ifNoneMatch entity tags; none of them may match the current order.
     * @throws Problem `not_found`
     * @throws Problem `precondition_failed`
     */
    async set(id: number, note: string | null, ifMatch?: string, ifNoneMatch?: string): Promise<OrderWithTickets> {
      const seen = await matching(id, ifMatch, ifNoneMatch);
      const [order, tickets] = await Promise.all([update(id, note, seen), readTickets(table, organisationId, id)]);
      return withTickets(StoredOrder.parse(order), tickets);
    },
  };
}

/** @param seen the order's item, if the update must fail when it has changed. */
function noteChange(
  note: z.infer<typeof ApiNote>,
  revision: string,
  changeTime: ChangeTime,
  seen: Item | undefined,
): Expression {
  return {
    update: `SET api_note = :note, ${changeTimeAttribute} = :changeTime, revision = :revision`,
    // Each change increases the change time.
    condition: `${isStored}${seen === undefined ? "" : ` AND ${changeTimeAttribute} = :seen`} AND ${changeTime.condition}`,
    values: {
      ...changeTime.values,
      ":note": note,
      ":changeTime": changeTime.attributes[changeTimeAttribute],
      ":revision": revision,
      ":seen": seen?.[changeTimeAttribute],
    },
  };
}

const isStored = "attribute_exists(PK) AND attribute_not_exists(deleted)";
