import { createHash } from "node:crypto";
import * as z from "zod";
import { instantMs } from "../../resources/instant.ts";
import { Order } from "../../resources/order.ts";
import { instantSortKey, listAttributes, lists } from "../table/keys.ts";

/** A note that was set through the API, beside what the order's records say. */
export const ApiNote = z.object({ admin_note: z.string().nullable(), date_modified: z.iso.datetime() });

/** A stored order as it is shown: a note that was set through the API stays, whatever records come later. */
export const StoredOrder = Order.extend({ api_note: ApiNote.optional() }).transform(({ api_note, ...order }): Order => {
  if (!api_note) return order;
  const isLater = instantMs(api_note.date_modified) > instantMs(order.date_modified);
  const { admin_note, date_modified } = api_note;
  return { ...order, admin_note, date_modified: isLater ? date_modified : order.date_modified };
});

/** The attribute by which an organisation's orders are listed: when this service accepted their latest changes. */
export const { sortKey: acceptance } = listAttributes(lists.orders(0));

/** Its value. @param accepted ISO 8601. */
export function acceptedAt(accepted: string, id: number): string {
  return instantSortKey(accepted, id);
}

/** Tells what a record says from what another says: an order that is imported again unchanged is no change. */
export function contentHash(order: Order): string {
  return createHash("sha256")
    .update(JSON.stringify(Order.parse(order)))
    .digest("base64url");
}
