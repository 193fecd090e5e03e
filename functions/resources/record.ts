import * as z from "zod";
import { Attendee } from "./attendee.ts";
import { Discount } from "./discount.ts";
import { Event } from "./event.ts";
import { EventDate } from "./eventDate.ts";
import { Order } from "./order.ts";
import { Payment } from "./payment.ts";
import { Id } from "./resourceId.ts";
import { Ticket } from "./ticket.ts";
import { TicketCategory } from "./ticketCategory.ts";

const envelope = {
  organisation_id: Id,
  /** Of two records with the same type and id, the one with the higher version wins. */
  version: z.int().nonnegative().optional(),
};

function recordOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, { shape }: z.ZodObject<Shape>) {
  return z.strictObject({ type: z.literal(type), ...envelope, data: z.strictObject(shape) });
}

/** One line of input data: exactly the fields of a resource. It is upserted by type and id. */
export const Record = z.discriminatedUnion("type", [
  recordOf("event", Event).refine(({ organisation_id, data }) => data.organisation_id === organisation_id, {
    path: ["data", "organisation_id"],
    error: "Must equal the record's organisation_id.",
  }),
  recordOf("event_date", EventDate),
  recordOf("ticket_category", TicketCategory).extend({ event_id: Id }),
  recordOf("order", Order),
  recordOf("ticket", Ticket),
  recordOf("payment", Payment),
  recordOf("discount", Discount),
  recordOf("attendee", Attendee),
]);
export type Record = z.infer<typeof Record>;

export const recordTypes = Record.options.map(({ shape }) => shape.type.value);
export type RecordType = Record["type"];

/** Deletes the record with this type and id. Records with a lower version cannot restore it. */
export const Deletion = z.strictObject({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id,
  deleted: z.literal(true),
  version: z.int().nonnegative(),
});
export type Deletion = z.infer<typeof Deletion>;
