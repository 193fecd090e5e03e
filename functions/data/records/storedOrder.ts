import * as z from "zod";
import { instantMs } from "../../resources/instant.ts";
import { Order } from "../../resources/order.ts";

/** A note that was set through the API, stored beside the fields of the order's record. */
export const ApiNote = z.object({ admin_note: z.string().nullable(), date_modified: z.iso.datetime() });

/** The public form of a stored order. A note that was set through the API overrides the record's note, even a later record's. */
export const StoredOrder = Order.extend({ api_note: ApiNote.optional() }).transform(({ api_note, ...order }): Order => {
  if (!api_note) return order;
  const isLater = instantMs(api_note.date_modified) > instantMs(order.date_modified);
  const { admin_note, date_modified } = api_note;
  return { ...order, admin_note, date_modified: isLater ? date_modified : order.date_modified };
});
