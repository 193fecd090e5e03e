import { isDeepStrictEqual } from "node:util";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { BalancePayment } from "../resources/balancePayment.ts";
import { ApiNote, Order } from "../resources/order.ts";
import { BalancePaymentRecorded, OrderNoteUpdated, type OutgoingEvent } from "../resources/outgoingEvent.ts";
import { storedForm } from "../resources/resource.ts";
import { fromAttributes } from "../table/dynamodb/attributeValue.ts";
import { keys, organisationIdOf } from "../table/keys.ts";

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
