import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import {
  BalancePaymentRecorded,
  OrderNoteUpdated,
  type OutgoingEvent,
} from "../../../functions/changes/outgoingEvents.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";

const documentation = await readFile("docs/operators/feed.md", "utf8");

const outgoingEvents = {
  "ticketing.balance_payment_recorded": BalancePaymentRecorded,
  "ticketing.order_note_updated": OrderNoteUpdated,
} satisfies Record<OutgoingEvent["detail_type"], unknown>;

for (const [detailType, schema] of Object.entries(outgoingEvents)) {
  test(`${detailType} is documented with a valid example, and each field has a description`, () => {
    const example = exampleOf(schema);
    schema.strict().parse(example);
    assert.ok(documentation.includes(`### \`${detailType}\`\n`));
    assert.ok(documentation.includes(`\n${JSON.stringify(example, null, 2)}\n`));
    for (const [name, field] of Object.entries(schema.shape)) assert.ok(field.meta()?.description, name);
  });
}
