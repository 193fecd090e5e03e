import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "@jest/globals";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { recordBalancePayment } from "../../functions/endpoints/recordBalancePayment.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { BalancePayment } from "../../functions/resources/balancePayment.ts";
import { Order } from "../../functions/resources/order.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { ownOrganisation } from "../support/service/ownOrganisation.ts";

const { admin, writer } = await ownOrganisation("writes");
const ledgerPath = async () => (await examplePaths(recordBalancePayment, writer))[0] ?? "";
const orderPath = async () => (await examplePaths(updateOrder, writer)).at(-1) ?? "";

/** Sends payments under one Idempotency-Key. @returns the responses, and the values of Idempotency-Replayed. */
async function recordUnderOneKey(...bodies: object[]) {
  const path = await ledgerPath();
  const headers = { "Idempotency-Key": randomUUID() };
  const answers = [];
  for (const body of bodies)
    answers.push(await writer.call(recordBalancePayment, path, { body: JSON.stringify(body), headers }));
  const [first, again] = answers;
  assert.ok(first && again);
  return { first, again, replayed: answers.map((answer) => answer.headers["idempotency-replayed"]) };
}

const payment = { type: "payment", amount: 5 };

describe("a balance payment", () => {
  test("returns 201; its Location is a list whose first row is the payment", async () => {
    const path = await ledgerPath();
    const named = { method: "bank", external_reference: "INV-1", note: "Büro" };
    const body = { type: "payment", amount: 12_345, date: "2026-03-01", ...named };
    const answer = await writer.call(recordBalancePayment, path, { body: JSON.stringify(body) });
    assert.deepEqual([answer.status, answer.headers.location], [201, path]);
    assert.equal(answer.headers["idempotency-replayed"], undefined);
    const made = BalancePayment.strict().parse(JSON.parse(textOf(answer)));
    const { id, event_id, balance_after, currency_symbol, currency, date_created, api_key_prefix, ...said } = made;
    assert.deepEqual(said, body);
    const event = Object(await writer.json(`/v1/events/${event_id}`));
    assert.deepEqual([currency_symbol, currency], [event.currency_symbol, event.currency]);
    assert.equal(api_key_prefix, writer.credential.slice(0, 12));
    assert.deepEqual((await writer.page(path, { per_page: 1 })).data, [made]);
  });

  test("sent again with the same key gets the first response again", async () => {
    const { first, again, replayed } = await recordUnderOneKey(payment, payment);
    assert.deepEqual([first.status, again.status, ...replayed], [201, 201, undefined, "true"]);
    assert.equal(textOf(again), textOf(first));
  });

  test("that was refused gets the first refusal again with the same key", async () => {
    const refund = { type: "refund", amount: Number.MAX_SAFE_INTEGER };
    const { first, again, replayed } = await recordUnderOneKey(refund, refund);
    for (const answer of [first, again]) assertProblem(answer, "conflict");
    assert.deepEqual(replayed, [undefined, "true"]);
  });

  test("that differs gets 422 with the same key", async () => {
    const { again } = await recordUnderOneKey(payment, { ...payment, amount: 6 });
    assertProblem(again, "idempotency_mismatch");
  });

  test("whose date is more than a day ahead gets 422, and can be sent again with the same key and another date", async () => {
    const { first, again } = await recordUnderOneKey({ ...payment, date: "2999-01-01" }, payment);
    assert.match(assertProblem(first, "date_in_future").detail, /^The date is more than a day ahead\./);
    assert.equal(again.status, 201);
  });

  test("treats null like a missing member", async () => {
    const nulls = { date: null, method: null, external_reference: null, note: null };
    const { first, replayed } = await recordUnderOneKey({ ...payment, ...nulls }, payment);
    assert.deepEqual(replayed, [undefined, "true"]);
    const made = BalancePayment.parse(JSON.parse(textOf(first)));
    assert.deepEqual([made.method, made.external_reference, made.note], [null, null, null]);
  });
});

test("an Idempotency-Key has 1 to 255 characters", async () => {
  for (const [caller, endpoint, path] of [
    [writer, recordBalancePayment, await ledgerPath()],
    [admin, createApiKey, createApiKey.path],
  ] as const) {
    const answerTo = (key: string) => caller.call(endpoint, path, { headers: { "Idempotency-Key": key } });
    for (const key of ["", "k".repeat(256)]) assertInvalidParameters(await answerTo(key), "idempotency-key");
    assert.equal((await answerTo(randomUUID().padEnd(255, "k"))).status, 201);
  }
});

describe("an update of an order", () => {
  const update = async (admin_note: string | null, headers = {}) =>
    writer.call(updateOrder, await orderPath(), { body: JSON.stringify({ admin_note }), headers });

  test("returns the order as GET does, with its new ETag", async () => {
    for (const note of ["At the door – 音楽\n🎟", null, ""]) {
      const updated = await update(note);
      const shown = await writer.get(await orderPath());
      assert.deepEqual([updated.status, updated.headers.etag], [200, shown.headers.etag]);
      assert.equal(textOf(updated), textOf(shown));
      assert.equal(Order.parse(JSON.parse(textOf(shown))).admin_note, note);
    }
  });

  test("gets 412 and changes nothing unless a tag in If-Match is the order's", async () => {
    const before = await writer.get(await orderPath());
    const etag = String(before.headers.etag);
    for (const known of ['"a"', `W/${etag}`])
      assertProblem(await update("Late", { "If-Match": known }), "precondition_failed");
    assert.equal(textOf(await writer.get(await orderPath())), textOf(before));
    // A proxy has appended its compression.
    assert.equal((await update("New", { "If-Match": [`${etag.slice(0, -1)}-gzip"`, '"x"'] })).status, 200);
    assertProblem(await update("Late", { "If-Match": etag }), "precondition_failed");
  });

  test("gets 412 and changes nothing if a tag in If-None-Match is the order's", async () => {
    const before = await writer.get(await orderPath());
    const etag = String(before.headers.etag);
    for (const known of ["*", etag, `W/${etag}`, ['"a"', etag]])
      assertProblem(await update("New", { "If-None-Match": known }), "precondition_failed");
    assert.equal(textOf(await writer.get(await orderPath())), textOf(before));
    assert.equal((await update("New", { "If-None-Match": '"a", "b,c"' })).status, 200);
  });

  test("gets 400 for anything but a list of tags in quotation marks", async () => {
    for (const malformed of ["x", 'a"', '"a" "b"', ","])
      assertInvalidParameters(await update("New", { "If-Match": malformed }), "if-match");
  });
});
