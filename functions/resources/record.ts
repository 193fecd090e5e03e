import * as z from "zod";
import { Event } from "./event.ts";
import { EventDate } from "./eventDate.ts";
import { Id } from "./resourceId.ts";
import { TicketCategory } from "./ticketCategory.ts";

const envelope = {
  organisation_id: Id,
  /** Of two records with one type and id, the one with the higher version stays. */
  version: z.int().nonnegative().optional(),
};

const EventRecord = z
  .strictObject({ type: z.literal("event"), ...envelope, data: z.strictObject(Event.shape) })
  .refine(({ organisation_id, data }) => data.organisation_id === organisation_id, {
    path: ["data", "organisation_id"],
    error: "Must be the record's own organisation_id.",
  });
const EventDateRecord = z.strictObject({
  type: z.literal("event_date"),
  ...envelope,
  data: z.strictObject(EventDate.shape),
});
const TicketCategoryRecord = z.strictObject({
  type: z.literal("ticket_category"),
  ...envelope,
  event_id: Id,
  data: z.strictObject(TicketCategory.shape),
});

/** One line of input data: a resource with exactly its fields, which replaces the one with its type and id. */
export const Record = z.discriminatedUnion("type", [EventRecord, EventDateRecord, TicketCategoryRecord]);
export type Record = z.infer<typeof Record>;
