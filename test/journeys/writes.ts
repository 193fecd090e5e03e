import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "@jest/globals";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { recordBalancePayment } from "../../functions/endpoints/recordBalancePayment.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { BalancePayment } from "../../functions/resources/balancePayment.ts";
import { OrderWithTickets } from "../../functions/resources/expanded.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { one, writerOne } from "../support/service/journeyService.ts";

const ledgerPath = async () => (await examplePaths(recordBalancePayment, one))[0] ?? "";
const orderPath = async () => (await examplePaths(updateOrder, one)).at(-1) ?? "";
const json = (value: unknown) => ({ body: JSON.stringify(value) });

test("a new balance payment returns 201 with its Location and the key's prefix, and comes first in the list", async () => {
  const path = await ledgerPath();
  const body = {
    type: "payment",
    amount: 12_345,
    date: "2026-03-01",
    method: "bank",
    external_reference: "INV-1",
    note: "Büro",
  };
  const answer = await writerOne.call(recordBalancePayment, path, json(body));
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.location, path);
  assert.equal(answer.headers["idempotency-replayed"], undefined);
  const made = BalancePayment.strict().parse(JSON.parse(textOf(answer)));
  const { id, event_id, balance_after, currency_symbol, currency, date_created, api_key_prefix, ...said } = made;
  assert.deepEqual(said, body);
  const event = Object(await one.json(`/v1/events/${event_id}`));
  assert.deepEqual([currency_symbol, currency], [event.currency_symbol, event.currency]);
  assert.equal(api_key_prefix, writerOne.credential.slice(0, 12));
  assert.deepEqual((await one.page(path, { per_page: 1 })).data, [made]);
});

test("a repeated Idempotency-Key returns the first response, marked as replayed, and refuses another request", async () => {
  const path = await ledgerPath();
  const headers = { "Idempotency-Key": randomUUID() };
  const send = (amount: number) =>
    writerOne.call(recordBalancePayment, path, { ...json({ type: "payment", amount }), headers });
  const [first, again] = [await send(5), await send(5)];
  assert.deepEqual([first.status, again.status, again.headers["idempotency-replayed"]], [201, 201, "true"]);
  assert.equal(textOf(again), textOf(first));
  assertProblem(await send(6), "idempotency_mismatch");
});

test("a member of a balance payment that is null counts as missing, also under an Idempotency-Key", async () => {
  const path = await ledgerPath();
  const headers = { "Idempotency-Key": randomUUID() };
  const nulls = { date: null, method: null, external_reference: null, note: null };
  const body = { type: "payment", amount: 5 };
  const first = await writerOne.call(recordBalancePayment, path, { ...json({ ...body, ...nulls }), headers });
  const again = await writerOne.call(recordBalancePayment, path, { ...json(body), headers });
  assert.deepEqual([first.status, again.status, again.headers["idempotency-replayed"]], [201, 201, "true"]);
  const made = BalancePayment.parse(JSON.parse(textOf(first)));
  assert.deepEqual([made.method, made.external_reference, made.note], [null, null, null]);
});

test("an Idempotency-Key that is empty or too long is refused by name", async () => {
  const path = await ledgerPath();
  for (const value of ["", "k".repeat(256)]) {
    const answer = await writerOne.call(recordBalancePayment, path, { headers: { "Idempotency-Key": value } });
    assertInvalidParameters(answer, "idempotency-key");
  }
  const longest = await writerOne.call(recordBalancePayment, path, { headers: { "Idempotency-Key": "k".repeat(255) } });
  assert.equal(longest.status, 201);
});

test("a repeated Idempotency-Key also returns the first refusal, marked as replayed", async () => {
  const path = await ledgerPath();
  const headers = { "Idempotency-Key": randomUUID() };
  const send = () =>
    writerOne.call(recordBalancePayment, path, {
      ...json({ type: "refund", amount: Number.MAX_SAFE_INTEGER }),
      headers,
    });
  const [first, again] = [await send(), await send()];
  for (const answer of [first, again]) assertProblem(answer, "conflict");
  assert.deepEqual(
    [first, again].map((answer) => answer.headers["idempotency-replayed"]),
    [undefined, "true"],
  );
});

test("an update whose If-None-Match matches the order returns 412 and changes nothing", async () => {
  const path = await orderPath();
  const before = await one.get(path);
  const etag = String(before.headers.etag);
  const update = (known: string | string[]) =>
    writerOne.call(updateOrder, path, { ...json({ admin_note: "New" }), headers: { "If-None-Match": known } });
  for (const known of ["*", etag, `W/${etag}`, ['"a"', etag]])
    assertProblem(await update(known), "precondition_failed");
  assert.equal(textOf(await one.get(path)), textOf(before));
  assert.equal((await update('"a", "b,c"')).status, 200);
});

test("an update returns the order as getOrder does, with its ETag, and requires the state in If-Match", async () => {
  const path = await orderPath();
  const before = await one.get(path);
  const update = (admin_note: string | null, etag?: string | string[]) =>
    writerOne.call(updateOrder, path, { ...json({ admin_note }), headers: etag ? { "If-Match": etag } : {} });
  const updated = await update("Stands at the door – 音楽\n🎟", before.headers.etag);
  assert.equal(updated.status, 200);
  const shown = await one.get(path);
  assert.deepEqual([textOf(updated), updated.headers.etag], [textOf(shown), shown.headers.etag]);
  const order = OrderWithTickets.parse(JSON.parse(textOf(shown)));
  assert.equal(order.admin_note, "Stands at the door – 音楽\n🎟");
  assertProblem(await update("late", before.headers.etag), "precondition_failed");
  assertProblem(await update("late", `W/${shown.headers.etag}`), "precondition_failed");
  for (const malformed of ["x", String(shown.headers.etag).slice(1), '"a" "b"', ","]) {
    const { errors } = assertProblem(await update("late", malformed), "invalid_request");
    assert.deepEqual(
      errors?.map((error) => "parameter" in error && error.parameter),
      ["if-match"],
    );
  }
  const ofProxy = `${String(shown.headers.etag).slice(0, -1)}-gzip"`;
  assert.equal((await update(null, [ofProxy, '"x"'])).status, 200);
  assert.equal(JSON.parse(textOf(await one.call(getOrder, path))).admin_note, null);
  assert.equal(JSON.parse(textOf(await update(""))).admin_note, "");
});
