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
  /** Of two records with one type and id, the one with the higher version stays. */
  version: z.int().nonnegative().optional(),
};

/** A record of a type, whose data has exactly the fields of its resource. */
function recordOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, { shape }: z.ZodObject<Shape>) {
  return z.strictObject({ type: z.literal(type), ...envelope, data: z.strictObject(shape) });
}

/** One line of input data: a resource with exactly its fields, which replaces the one with its type and id. */
export const Record = z.discriminatedUnion("type", [
  recordOf("event", Event).refine(({ organisation_id, data }) => data.organisation_id === organisation_id, {
    path: ["data", "organisation_id"],
    error: "Must be the record's own organisation_id.",
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

/** The types of records. */
export const recordTypes = Record.options.map(({ shape }) => shape.type.value);
export type RecordType = Record["type"];

/** Says that what has this type and id is no more: nothing with a lower version brings it back. */
export const Deletion = z.strictObject({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id,
  deleted: z.literal(true),
  version: z.int().nonnegative(),
});
export type Deletion = z.infer<typeof Deletion>;
