import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { request } from "node:http";
import { test } from "@jest/globals";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { eventRecord, someone } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { clientOf } from "../../support/http/client.ts";
import { withId } from "../../support/http/examples.ts";
import { textOf } from "../../support/http/send.ts";
import { cases } from "../../support/jest/cases.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

const organisationId = 7400;
const eventId = 11;
const path = withId(recordBalancePayment, eventId);
const clients = cases(12, 40);

test("concurrent clients, some repeating and some killed half way, leave a ledger that adds up", async () => {
  const table = localTable();
  await putRecords([eventRecord(organisationId, eventId)]);
  const { key } = await apiKeyRepository(organisationId, table).create("Ledger", ["write:balance_payments"], someone);
  const client = clientOf(baseUrl, key);

  /** Repeats a request under the same Idempotency-Key while it returns 503. */
  async function record(body: string, idempotencyKey: string) {
    for (;;) {
      const answer = await client.call(recordBalancePayment, path, {
        body,
        headers: { "Idempotency-Key": idempotencyKey },
      });
      if (answer.status !== 503) return answer;
    }
  }

  // Without a balance, the first refunds would be refused.
  const opening = await record(JSON.stringify({ type: "payment", amount: 5_000 }), randomUUID());
  const outcomes = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const body = JSON.stringify({ type: index % 3 === 0 ? "refund" : "payment", amount: randomInt(1, 500) });
      const idempotencyKey = randomUUID();
      if (index % 4 === 1) await sendAndDie(key, body, idempotencyKey);
      const answers = await Promise.all(
        Array.from({ length: index % 5 === 2 ? 2 : 1 }, () => record(body, idempotencyKey)),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      assert.ok(
        [...statuses].every((status) => status === 201 || status === 409),
        [...statuses].join(),
      );
      return answers
        .filter(({ status }) => status === 201)
        .map((answer) => BalancePayment.parse(JSON.parse(textOf(answer))));
    }),
  );

  const rows = BalancePayment.array().parse(await client.rows(path));
  const ledger = rows.toSorted((one, other) => one.id - other.id);
  assert.equal(new Set(ledger.map(({ id }) => id)).size, ledger.length);
  const opened = BalancePayment.parse(JSON.parse(textOf(opening)));
  const answered = new Map([opened, ...outcomes.flat()].map((row) => [row.id, row]));
  assert.deepEqual(
    [...answered.values()].toSorted((one, other) => one.id - other.id),
    ledger,
  );
  for (const answers of outcomes) assert.ok(new Set(answers.map(({ id }) => id)).size <= 1, "one request, one record");
  ledger.reduce((balance, { type, amount, balance_after }) => {
    assert.equal(balance_after, balance + (type === "payment" ? amount : -amount));
    assert.ok(balance_after >= 0);
    return balance_after;
  }, 0);
  assert.ok(ledger.some(({ type }) => type === "refund") && ledger.length > clients / 2);
});

/** Sends a request and disconnects before the response. */
function sendAndDie(key: string, body: string, idempotencyKey: string): Promise<void> {
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
  };
  return new Promise((settle) => {
    const outgoing = request(baseUrl + path, { method: "POST", headers });
    outgoing.on("error", () => undefined);
    outgoing.on("close", () => settle());
    outgoing.end(body, () => setImmediate(() => outgoing.destroy()));
  });
}
