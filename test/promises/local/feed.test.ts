import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "@jest/globals";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { updateOrder } from "../../../functions/endpoints/updateOrder.ts";
import { sendMessage } from "../../../functions/queue.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { BalancePaymentRecorded, OrderNoteUpdated } from "../../../functions/stream/outgoingEvents.ts";
import { dateRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { textOf } from "../../support/http/send.ts";
import { localService, newHolder } from "../../support/service/testedService.ts";
import { until } from "../../support/service/until.ts";

const organisationId = 7600;
const client = await newHolder(organisationId, ["write:balance_payments", "write:orders"]);

const version = (number: number, record: object) => ({ ...record, version: number });
const event = (name: string) => eventRecord(organisationId, 31, { name });
const date = dateRecord(organisationId, 31, 32);
const order = orderRecord(organisationId, 33, { event_id: 31, date_id: 32 });
const ticket = ticketRecord(organisationId, 34, { order_id: 33, event_id: 31, date_id: 32 });

const send = (...records: object[]) =>
  sendMessage(localService?.description.feed_queue_url ?? "", JSON.stringify(records));

const isStatus = (path: string, status: number) => async () => (await client.get(path)).status === status;

test("records sent to the feed are shown, in any order of arrival", async () => {
  await send(version(2, ticket), version(2, order));
  await send(version(2, date), version(3, event("Third")));
  await send(version(2, event("Second")));
  await until(isStatus("/v1/events/31", 200));
  await until(isStatus("/v1/orders/33", 200));
  await until(isStatus("/v1/dates/32", 200));
});

test("a record that is older than the stored one changes nothing", async () => {
  await send(version(1, event("First")), version(2, ticketRecord(organisationId, 35, ticket.data)));
  await until(isStatus("/v1/tickets/34", 200));
  assert.equal(JSON.parse(textOf(await client.get("/v1/events/31"))).name, "Third");
});

test("a record that the feed deletes is not found, in no list, and not restored by a late record", async () => {
  await send({ type: "ticket", organisation_id: organisationId, id: 34, deleted: true, version: 3 });
  await until(isStatus("/v1/tickets/34", 404));
  assert.ok(!textOf(await client.get("/v1/dates/32/tickets")).includes('"id":34,'));
  assert.ok(!textOf(await client.get("/v1/orders/33")).includes('"id":34,'));
  await send(version(2, ticket));
  await send(version(4, event("After")));
  await until(async () => textOf(await client.get("/v1/events/31")).includes('"After"'));
  assert.equal((await client.get("/v1/tickets/34")).status, 404);
});

test("each write through the API sends one event, and an import sends none", async () => {
  const payment = await client.call(recordBalancePayment, "/v1/events/31/balance-payments", {
    body: '{"type":"payment","amount":700}',
  });
  const note = await client.call(updateOrder, "/v1/orders/33", { body: '{"admin_note":"Door"}' });
  assert.deepEqual([payment.status, note.status], [201, 200]);
  await send(version(3, { ...order, data: { ...order.data, reference: "IMPORTED" } }));
  await until(async () => textOf(await client.get("/v1/orders/33")).includes("IMPORTED"));

  const events = async () => {
    const text = await readFile(join(localService?.directory ?? "", ".local/events.ndjson"), "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ detail }) => detail.organisation_id === organisationId);
  };
  await until(async () => (await events()).length >= 2);
  const [recorded, updated, ...others] = await events();
  assert.deepEqual(others, []);
  assert.deepEqual([recorded.source, recorded["detail-type"]], ["ticketing", "ticketing.balance_payment_recorded"]);
  assert.deepEqual(
    BalancePaymentRecorded.strict().parse(recorded.detail).balance_payment,
    BalancePayment.parse(JSON.parse(textOf(payment))),
  );
  assert.equal(updated["detail-type"], "ticketing.order_note_updated");
  const { order_id, event_id, admin_note } = OrderNoteUpdated.strict().parse(updated.detail);
  assert.deepEqual({ order_id, event_id, admin_note }, { order_id: 33, event_id: 31, admin_note: "Door" });
});
