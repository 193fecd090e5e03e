import { isDeepStrictEqual } from "node:util";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { BalancePayment } from "../resources/balancePayment.ts";
import { exampleOf, Id, Instant } from "../resources/fields.ts";
import { ApiNote, Order } from "../resources/order.ts";
import { storedForm } from "../resources/resource.ts";
import { fromAttributes } from "../table/attributeValue.ts";
import { keys, organisationIdOf } from "../table/keys.ts";

/**
 * Converts a batch of stream records from the pipe into events for the event bus: balance payments and order notes that were recorded through the
 * API. An event may be sent more than once, with the same id.
 */
export async function handler(records: unknown): Promise<OutgoingEvent[]> {
  const events = z
    .array(z.unknown())
    .parse(records)
    .flatMap((record) => outgoingEventOf(record) ?? []);
  for (const { detail_type, detail } of events) {
    logger.info("outgoing event", { detail_type, id: detail.id, organisation_id: detail.organisation_id });
  }
  return events;
}

const Image = z.record(z.string(), z.custom<AttributeValue>()).transform(fromAttributes);

/** The parts of a stream record that identify the change. */
const StreamRecord = z.object({
  eventID: z.string(),
  eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
  dynamodb: z.object({
    Keys: z.object({ PK: z.object({ S: z.string() }), SK: z.object({ S: z.string() }) }),
    OldImage: Image.optional(),
    NewImage: Image.optional(),
  }),
});

const sortKeys = { balancePayment: keys.balance_payment(1, 1).SK, order: keys.order(1, 1).SK };

/** The sort keys of the items whose changes may become outgoing events. */
export const outgoingSortKeys: readonly string[] = Object.values(sortKeys);

/**
 * The stream records that may become outgoing events, as EventBridge patterns: new balance payments, which never change, and changes of
 * orders that have a note from the API.
 */
export const outgoingPatterns = [
  { eventName: ["INSERT"], dynamodb: { Keys: { SK: { S: [sortKeys.balancePayment] } } } },
  {
    eventName: ["MODIFY"],
    dynamodb: {
      Keys: { SK: { S: [sortKeys.order] } },
      // A pattern can only match leaves.
      NewImage: { api_note: { M: { date_modified: { S: [{ exists: true }] } } } },
    },
  },
] as const;

const NotedOrder = Order.pick({ id: true, event_id: true, date_id: true });
const MaybeNoted = z.object({ api_note: ApiNote.optional() });

/**
 * The outgoing event for a record of the table's stream; undefined if the change did not come through the API.
 * @throws ZodError if the record or its item is invalid.
 */
export function outgoingEventOf(record: unknown): OutgoingEvent | undefined {
  const { eventID, eventName, dynamodb } = StreamRecord.parse(record);
  const { Keys, OldImage, NewImage } = dynamodb;
  const envelope = { schema_version: 1, id: eventID, organisation_id: organisationIdOf(Keys.PK.S) };
  if (Keys.SK.S === sortKeys.balancePayment && eventName === "INSERT") {
    // Its event was sent when it was recorded.
    if (NewImage?.restored === true) return undefined;
    const detail = { ...envelope, balance_payment: storedForm(BalancePayment).parse(NewImage) };
    return { detail_type: "ticketing.balance_payment_recorded", detail: BalancePaymentRecorded.parse(detail) };
  }
  if (Keys.SK.S === sortKeys.order && eventName === "MODIFY") {
    const { api_note: note } = MaybeNoted.parse(NewImage);
    // Imports also change orders, but never these notes.
    if (!note || isDeepStrictEqual(note, MaybeNoted.parse(OldImage).api_note)) return undefined;
    const { id: order_id, event_id, date_id } = NotedOrder.parse(NewImage);
    const detail = { ...envelope, order_id, event_id, date_id, ...note };
    return { detail_type: "ticketing.order_note_updated", detail: OrderNoteUpdated.parse(detail) };
  }
  return undefined;
}

/** Members of every event. */
const envelope = {
  schema_version: z.literal(1).meta({ description: "Increased when a change would break readers of this version." }),
  id: z.string().meta({ description: "Event id. A repeated delivery has the same id." }),
  organisation_id: Id.meta({ description: "Id of the organisation whose data changed." }),
};
const exampleEnvelope = { schema_version: 1, id: "c81e728d9d4c2f636f067f89cc14862c", organisation_id: 1842 };

/** Sent when the API records a balance payment or refund. */
export const BalancePaymentRecorded = z
  .object({ ...envelope, balance_payment: BalancePayment.meta({ description: "The balance payment as in the API." }) })
  .meta({
    get examples() {
      return [{ ...exampleEnvelope, balance_payment: exampleOf(BalancePayment) }];
    },
  });

/** Sent when the API sets or removes an order's note. */
export const OrderNoteUpdated = z
  .object({
    ...envelope,
    order_id: Id.meta({ description: "Id of the order." }),
    event_id: Id.meta({ description: "Id of the order's event." }),
    date_id: Id.meta({ description: "Id of the order's event date." }),
    admin_note: z.string().nullable().meta({ description: "The new note; null if it was removed." }),
    date_modified: Instant.meta({
      description: "When the note changed. Of two events for one order, the later one wins.",
    }),
  })
  .meta({
    examples: [
      {
        ...exampleEnvelope,
        order_id: 90211,
        event_id: 15082,
        date_id: 1508201,
        admin_note: "Wheelchair place",
        date_modified: "2025-11-03T09:12:44.021Z",
      },
    ],
  });

/** An event sent through EventBridge. */
export type OutgoingEvent =
  | { detail_type: "ticketing.balance_payment_recorded"; detail: z.infer<typeof BalancePaymentRecorded> }
  | { detail_type: "ticketing.order_note_updated"; detail: z.infer<typeof OrderNoteUpdated> };
