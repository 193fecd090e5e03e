import assert from "node:assert/strict";
import { beforeAll, expect, test } from "@jest/globals";
import { Change } from "../../../functions/changes/change.ts";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { updateOrder } from "../../../functions/endpoints/updateOrder.ts";
import { sendMessage } from "../../../functions/queue.ts";
import type { Order } from "../../../functions/resources/order.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { localService, newHolder } from "../../support/service/testedService.ts";
import { until } from "../../support/service/until.ts";

const organisationId = 7800;
const client = await newHolder(organisationId, ["read", "write:balance_payments", "write:orders"]);

const send = (...records: object[]) =>
  sendMessage(localService?.description.feed_queue_url ?? "", JSON.stringify(records));
const changes = async () =>
  (await client.page("/v1/changes", { per_page: 1_000 })).data.map((row) => Change.parse(row));
const written = "Cash from Ann Example";

const named = { first_name: "Ann", last_name: "Example", email: "ann@example.org", admin_note: "from the core" };
const orderOf = (id: number, fields: Partial<Order> = {}) => orderRecord(organisationId, id, { ...named, ...fields });
const [anonymised, ended, deletedEvent] = [41, 42, 43];

/** All records end their texts at the same time, because each change is invisible at first. */
beforeAll(async () => {
  const records = [orderOf(anonymised), orderOf(ended), eventRecord(organisationId, deletedEvent)];
  await send(...records.map((record) => ({ ...record, version: 1 })));
  const paths = [`/v1/orders/${anonymised}`, `/v1/orders/${ended}`, `/v1/events/${deletedEvent}`];
  for (const path of paths) await until(async () => (await client.get(path)).status === 200);
  for (const id of [anonymised, ended]) {
    const body = JSON.stringify({ admin_note: `${written}, order ${id}` });
    assert.equal((await client.call(updateOrder, `/v1/orders/${id}`, { body })).status, 200);
  }
  const body = JSON.stringify({ type: "payment", amount: 4_300, note: written, external_reference: written });
  const path = `/v1/events/${deletedEvent}/balance-payments`;
  assert.equal((await client.call(recordBalancePayment, path, { body })).status, 201);
  const shown = async () => (await changes()).filter(({ data }) => JSON.stringify(data).includes(written));
  await until(async () => (await shown()).length === 3);
  await send(
    { ...orderOf(anonymised, { first_name: null, last_name: null, email: null }), version: 2 },
    { ...orderOf(ended), version: 2, ends_note: true },
    { type: "event", organisation_id: organisationId, id: deletedEvent, deleted: true, version: 2 },
  );
});

/** A resource in the list of changes, once its change without the text is visible. */
async function changed(isWanted: (change: Change) => boolean) {
  let found: Change["data"] | undefined;
  await until(async () => {
    found = (await changes()).find(isWanted)?.data;
    return Boolean(found) && !JSON.stringify(found).includes(written);
  });
  return found;
}

test("a record that anonymises an order ends the note that the API has set", async () => {
  const order = await changed(({ type, id }) => type === "order" && id === anonymised);
  expect(order).toMatchObject({ first_name: null, admin_note: "from the core" });
  expect(await client.json(`/v1/orders/${anonymised}`)).toMatchObject({ admin_note: "from the core" });
});

test("a record with ends_note ends the note that the API has set, and leaves the buyer's name", async () => {
  const order = await changed(({ type, id }) => type === "order" && id === ended);
  expect(order).toMatchObject({ first_name: "Ann", admin_note: "from the core" });
  expect(await client.json(`/v1/orders/${ended}`)).toMatchObject({ admin_note: "from the core" });
});

test("an event's deletion removes its balance payments' texts, and keeps their amounts", async () => {
  const payment = await changed(({ type }) => type === "balance_payment");
  expect(payment).toMatchObject({ amount: 4_300, note: null, external_reference: null });
});
