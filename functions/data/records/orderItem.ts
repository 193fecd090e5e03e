import { createHash } from "node:crypto";
import * as z from "zod";
import { instantMs } from "../../resources/instant.ts";
import { Order } from "../../resources/order.ts";
import { instantSortKey, listAttributes, lists } from "../table/keys.ts";

/** A note that was set through the API, stored beside the fields of the order's record. */
export const ApiNote = z.object({ admin_note: z.string().nullable(), date_modified: z.iso.datetime() });

/** The public form of a stored order. A note that was set through the API overrides the record's note, even a later record's. */
export const StoredOrder = Order.extend({ api_note: ApiNote.optional() }).transform(({ api_note, ...order }): Order => {
  if (!api_note) return order;
  const isLater = instantMs(api_note.date_modified) > instantMs(order.date_modified);
  const { admin_note, date_modified } = api_note;
  return { ...order, admin_note, date_modified: isLater ? date_modified : order.date_modified };
});

/** The attribute that sorts an organisation's orders: when this service accepted their latest change. */
export const { sortKey: acceptance } = listAttributes(lists.orders(0));

/** The value of {@link acceptance}. @param accepted ISO 8601. */
export function acceptedAt(accepted: string, id: number): string {
  return instantSortKey(accepted, id);
}

/** Identifies the content of an order, so that importing it again unchanged does not count as a change. */
export function contentHash(order: Order): string {
  return createHash("sha256")
    .update(JSON.stringify(Order.parse(order)))
    .digest("base64url");
}
