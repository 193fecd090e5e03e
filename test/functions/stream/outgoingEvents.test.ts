import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { marshall } from "@aws-sdk/util-dynamodb";
import { test } from "@jest/globals";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import {
  BalancePaymentRecorded,
  OrderNoteUpdated,
  type OutgoingEvent,
  outgoingEventOf,
  outgoingPatterns,
  WebhookDisabled,
} from "../../../functions/stream/outgoingEvents.ts";
import type { Item } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { orderRecord, ticketRecord } from "../../support/data/records.ts";

const balancePayment = BalancePayment.parse(exampleOf(BalancePayment));
const payment = { ...itemKeys.balance_payment(1842, 4003), GSI1PK: "list", ...balancePayment };
const order = recordItem(orderRecord(1842, 9, { event_id: 5, date_id: 6, admin_note: "imported" }));
const noted = (admin_note: string | null, date_modified = "2026-01-02T03:04:05.006Z"): Item => ({
  ...order,
  api_note: { admin_note, date_modified },
});

/** A change in the stream's form. */
const options = { removeUndefinedValues: true };

function change(before: Item | undefined, after: Item | undefined) {
  const { PK, SK } = { ...before, ...after };
  return {
    eventID: "c4ca",
    eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
    dynamodb: {
      SequenceNumber: "1",
      Keys: marshall({ PK, SK }),
      ...(before && { OldImage: marshall(before, options) }),
      ...(after && { NewImage: marshall(after, options) }),
    },
  };
}

const envelope = { schema_version: 1, id: "c4ca", organisation_id: 1842 };

test("a new balance payment becomes an event with the API's representation", () => {
  assert.deepEqual(outgoingEventOf(change(undefined, payment)), {
    detail_type: "ticketing.balance_payment_recorded",
    detail: { ...envelope, balance_payment: balancePayment },
  });
});

test("a note that was set, changed or removed becomes an event with its order", () => {
  for (const [before, note] of [
    [order, "first"],
    [noted("first"), null],
    [noted(null), "again"],
  ] as const) {
    assert.deepEqual(outgoingEventOf(change(before, noted(note, "2026-02-02T03:04:05.006Z"))), {
      detail_type: "ticketing.order_note_updated",
      detail: {
        ...envelope,
        order_id: 9,
        event_id: 5,
        date_id: 6,
        admin_note: note,
        date_modified: "2026-02-02T03:04:05.006Z",
      },
    });
  }
});

test("setting the same note again becomes an event, because the core system may have changed it meanwhile", () => {
  assert.ok(outgoingEventOf(change(noted("same"), noted("same", "2026-03-02T03:04:05.006Z"))));
});

const silent: Record<string, [Item | undefined, Item | undefined]> = {
  "an imported order": [undefined, order],
  "an order imported again": [order, { ...order, reference: "K" }],
  "an order with a note, imported again": [noted("kept"), { ...noted("kept"), reference: "K" }],
  "an order with a note that is deleted": [
    noted("kept"),
    tombstone({ type: "order", organisation_id: 1842, id: 9, deleted: true, version: 1 }),
  ],
  "an order that is removed": [noted("kept"), undefined],
  "a balance payment that is removed": [payment, undefined],
  "a ticket": [undefined, recordItem(ticketRecord(1842, 9))],
  "an API key": [undefined, { ...itemKeys.apiKey(1842, "id"), name: "Sync", key_hash: "0".repeat(64) }],
  "an API key's hash": [undefined, { ...itemKeys.apiKeyHash("0".repeat(64)), organisation_id: 1842 }],
  "the activity of an API key": [undefined, { ...itemKeys.activity(1842, "id"), action: "created" }],
  "an idempotency entry": [undefined, { ...itemKeys.idempotency(1842, "h"), answer: { recorded: balancePayment } }],
  "a balance": [undefined, { ...itemKeys.balance(1842, 5), balance: 1, revision: 1 }],
};

for (const [name, [before, after]] of Object.entries(silent)) {
  test(`${name} becomes no event`, () => {
    assert.equal(outgoingEventOf(change(before, after)), undefined);
  });
}

test("the patterns select balance payments, orders and disabled webhooks, and nothing about keys", () => {
  const passing = outgoingPatterns.map(({ dynamodb }) =>
    "Keys" in dynamodb ? dynamodb.Keys.SK.S : Object.keys(dynamodb.NewImage),
  );
  assert.deepEqual(passing, [["BALANCEPAYMENT"], ["ORDER"], ["webhook_disabled"]]);
});

test("a webhook sends one event when it becomes disabled, without its URL's query", () => {
  const webhook = { ...itemKeys.webhook(1842, "0mi7c1q2k5f0c2a9d1e4b"), id: "0mi7c1q2k5f0c2a9d1e4b", status: "active" };
  const [failing_since, webhook_disabled] = ["2026-11-23T10:00:12.031Z", "2026-11-28T10:04:40.114Z"];
  const url = "https://crm.example.org/ticketing?token=7";
  const disabled = { ...webhook, url, status: "disabled", failing_since, webhook_disabled };
  assert.deepEqual(outgoingEventOf(change(webhook, disabled)), {
    detail_type: "ticketing.webhook_disabled",
    detail: {
      ...{ schema_version: 1, id: outgoingEventOf(change(webhook, disabled))?.detail.id, organisation_id: 1842 },
      ...{
        webhook_id: webhook.id,
        url: "https://crm.example.org/ticketing",
        failing_since,
        disabled: webhook_disabled,
      },
    },
  });
  assert.equal(outgoingEventOf(change(disabled, { ...disabled, description: "CRM" })), undefined);
  assert.equal(outgoingEventOf(change(disabled, webhook)), undefined);
});

test("a malformed item is an error, so the pipe sends it to its dead-letter queue", () => {
  assert.equal(outgoingEventOf(change(undefined, { ...payment, amount: "much" })), undefined);
  assert.equal(outgoingEventOf(change(order, { ...noted("x"), id: null })), undefined);
  assert.throws(() => outgoingEventOf({}));
});

const documentation = await readFile("docs/operators/feed.md", "utf8");

const outgoingEvents = {
  "ticketing.balance_payment_recorded": BalancePaymentRecorded,
  "ticketing.order_note_updated": OrderNoteUpdated,
  "ticketing.webhook_disabled": WebhookDisabled,
} satisfies Record<OutgoingEvent["detail_type"], unknown>;

for (const [detailType, schema] of Object.entries(outgoingEvents)) {
  test(`${detailType} is documented with a valid example, and each field has a description`, () => {
    const example = exampleOf(schema);
    schema.strict().parse(example);
    const [, shown = ""] = documentation.split(`### \`${detailType}\`\n`)[1]?.split(/^```(?:json)?\n/m) ?? [];
    assert.deepEqual(JSON.parse(shown), example);
    for (const [name, field] of Object.entries(schema.shape)) assert.ok(field.meta()?.description, name);
  });
}
