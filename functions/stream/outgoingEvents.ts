import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { BalancePayment } from "../resources/balancePayment.ts";
import { exampleOf, Id } from "../resources/fields.ts";
import { ApiNote, Order } from "../resources/order.ts";
import { storedForm } from "../resources/resource.ts";
import { fromAttributes } from "../table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf, organisationIdOf } from "../table/itemKeys.ts";
import { readable } from "../table/rows.ts";
import { Instant } from "../values/instant.ts";
import { StreamRecord } from "./streamRecord.ts";

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

const sortKeys = { balancePayment: itemKeys.balance_payment(1, 1).SK, order: itemKeys.order(1, 1).SK };

export function mayBecomeEvent({ PK, SK }: ItemKey): boolean {
  return Object.values(sortKeys).includes(SK) || itemTypeOf({ PK, SK }) === webhookType;
}

const webhookType = itemTypeOf(itemKeys.webhook(1, ""));

/**
 * The stream records that may become outgoing events, as EventBridge patterns: new balance payments, whose later changes only remove texts, and changes of
 * orders that have a note from the API, and of webhooks that are disabled.
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
  { eventName: ["MODIFY"], dynamodb: { NewImage: { webhook_disabled: { S: [{ exists: true }] } } } },
] as const;

const StoredPayment = storedForm(BalancePayment);
const NotedOrder = storedForm(Order.pick({ id: true, event_id: true, date_id: true })).extend({
  api_note: ApiNote.optional(),
});
const DisabledWebhook = z.object({
  id: z.string(),
  url: z.string(),
  failing_since: z.string(),
  webhook_disabled: z.string(),
});

/**
 * The outgoing event for a record of the table's stream; undefined if the change did not come through the API, or if its item is damaged, which
 * raises an alarm.
 * @throws ZodError if the record is invalid.
 */
export function outgoingEventOf(record: unknown): OutgoingEvent | undefined {
  const { id, change, key, ...images } = StreamRecord.parse(record);
  const [before, after] = [fromAttributes(images.before ?? {}), fromAttributes(images.after ?? {})];
  const envelope = { schema_version: 1 as const, id, organisation_id: organisationIdOf(key.PK) };
  if (key.SK === sortKeys.balancePayment && change === "INSERT") {
    // Its event was sent when it was recorded.
    if (after.restored === true) return undefined;
    const balance_payment = readable(StoredPayment, after);
    return (
      balance_payment && {
        detail_type: "ticketing.balance_payment_recorded",
        detail: { ...envelope, balance_payment },
      }
    );
  }
  if (key.SK === sortKeys.order && change === "MODIFY") {
    // Imports also change orders, but never these notes.
    if (!after.api_note || isDeepStrictEqual(after.api_note, before.api_note)) return undefined;
    const order = readable(NotedOrder, after);
    if (!order?.api_note) return undefined;
    const { id: order_id, event_id, date_id, api_note } = order;
    return {
      detail_type: "ticketing.order_note_updated",
      detail: { ...envelope, order_id, event_id, date_id, ...api_note },
    };
  }
  if (after.webhook_disabled === undefined || before.webhook_disabled !== undefined) return undefined;
  const webhook = readable(DisabledWebhook, after);
  if (!webhook) return undefined;
  const { id: webhook_id, failing_since, webhook_disabled: disabled } = webhook;
  // A query may be a secret.
  const [url = ""] = webhook.url.split("?");
  return {
    detail_type: "ticketing.webhook_disabled",
    detail: { ...envelope, webhook_id, url, failing_since, disabled },
  };
}

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

/** Sent when a webhook is disabled, because its receiver failed for five days or responded with 410. */
export const WebhookDisabled = z
  .object({
    ...envelope,
    webhook_id: z.string().meta({ description: "Id of the webhook." }),
    url: z.string().meta({ description: "The receiver's URL, without its query." }),
    failing_since: z.iso.datetime().meta({ description: "When the first of the failed attempts was made." }),
    disabled: z.iso.datetime().meta({ description: "When the webhook was disabled." }),
  })
  .meta({
    examples: [
      {
        ...exampleEnvelope,
        webhook_id: "0mi7c1q2k5f0c2a9d1e4b",
        url: "https://crm.example.org/ticketing",
        failing_since: "2026-11-23T10:00:12.031Z",
        disabled: "2026-11-28T10:04:40.114Z",
      },
    ],
  });

export type OutgoingEvent =
  | { detail_type: "ticketing.balance_payment_recorded"; detail: z.infer<typeof BalancePaymentRecorded> }
  | { detail_type: "ticketing.order_note_updated"; detail: z.infer<typeof OrderNoteUpdated> }
  | { detail_type: "ticketing.webhook_disabled"; detail: z.infer<typeof WebhookDisabled> };
