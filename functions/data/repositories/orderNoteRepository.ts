import { randomUUID } from "node:crypto";
import { notFound, preconditionFailed } from "../../problem.ts";
import { entityTag, isMatch } from "../../resources/entityTag.ts";
import type { OrderWithTickets } from "../../resources/order.ts";
import { acceptance, isLatest, writeAccepted } from "../records/acceptance.ts";
import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type Expression, updateItem } from "../table/writes.ts";
import { readOrder, readTickets, withTickets } from "./orderWithTickets.ts";

/** The back office's notes on one organisation's orders. */
export function orderNoteRepository(organisationId: number, table: Table) {
  /** The order's item, if its entity tag is in `ifMatch`. @throws Problem `precondition_failed` */
  async function matching(id: number, ifMatch: string): Promise<Item> {
    const { order, shown } = await readOrder(table, organisationId, id);
    if (!isMatch(ifMatch, entityTag(JSON.stringify(shown)))) throw preconditionFailed();
    return order;
  }

  async function update(id: number, note: string | null, seen: Item | undefined): Promise<Item> {
    try {
      return await writeAccepted(table, keys.order(organisationId, id), (stamp) => updateOnce(id, note, stamp, seen));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      throw seen === undefined ? notFound("order") : preconditionFailed();
    }
  }

  /** If the response is lost, the SDK repeats the update, whose condition is then false. */
  async function updateOnce(id: number, note: string | null, stamp: Item, seen: Item | undefined): Promise<Item> {
    const revision = randomUUID();
    try {
      return await updateItem(table, keys.order(organisationId, id), noteChange(note, revision, stamp, seen));
    } catch (error) {
      if (error instanceof ConditionFailed && error.item?.revision === revision) return error.item;
      throw error;
    }
  }

  return {
    /**
     * Sets or removes a note in one conditional update, and moves the order to the end of the changes.
     *
     * @param ifMatch entity tags; one of them must match the current order.
     * @throws Problem `not_found`
     * @throws Problem `precondition_failed`
     */
    async set(id: number, note: string | null, ifMatch?: string): Promise<OrderWithTickets> {
      const seen = ifMatch === undefined ? undefined : await matching(id, ifMatch);
      const [order, tickets] = await Promise.all([update(id, note, seen), readTickets(table, organisationId, id)]);
      return withTickets(order, tickets);
    },
  };
}

/** @param seen the order's item, if the update must fail when it has changed. */
function noteChange(admin_note: string | null, revision: string, stamp: Item, seen: Item | undefined): Expression {
  const date_modified = new Date().toISOString();
  return {
    update: `SET api_note = :note, ${acceptance} = :stamp, revision = :revision`,
    condition: `${seen === undefined ? isStored : isUnchanged(seen)} AND ${isLatest}`,
    values: {
      ":note": { admin_note, date_modified },
      ":stamp": stamp[acceptance],
      ":revision": revision,
      ":seen": seen?.[acceptance],
    },
  };
}

const isStored = "attribute_exists(PK) AND attribute_not_exists(deleted)";

/** Each change increases the stamp. Orders of earlier versions of this service may lack it. */
function isUnchanged(seen: Item): string {
  return `${isStored} AND ${seen[acceptance] === undefined ? `attribute_not_exists(${acceptance})` : `${acceptance} = :seen`}`;
}
