import assert from "node:assert/strict";
import { afterEach, jest, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";

// The modules read these when they are loaded, as in Lambda.
process.env.POWERTOOLS_METRICS_NAMESPACE = "ticketing-test";
process.env.BASE_URL = "https://api.example";
const { horizonMs } = await import("../../../functions/changes/changeRepository.ts");
const { logger } = await import("../../../functions/log/logger.ts");
const { putItem } = await import("../../../functions/table/writes.ts");
const { itemOf, readWebhook } = await import("../../../functions/webhooks/storedWebhook.ts");
const { deliverBatch, handler } = await import("../../../functions/webhooks/webhooks.ts");
const { change, create, sender, state, table, useDeliveries } = await import("../../support/webhooks/deliveries.ts");

useDeliveries();
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.WEBHOOK_LOCAL_KEY;
});

const names = ["webhook_late_seconds", "webhook_messages", "webhook_receiver_failures", "webhook_errors"] as const;

/** The metrics in the line that some work logs. */
async function measured(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const info = jest.spyOn(logger, "info");
  info.mockClear();
  await work();
  return Object(info.mock.calls.at(-1)?.[1]);
}

test("a batch measures its messages, receivers' failures and our own, and how late it was because of us, in seconds", async () => {
  const own = { ...sender, mac: () => Promise.reject(new Error("KMS is down")) };
  const outcomes = [];
  for (const [status, used] of [
    [200, sender],
    [500, sender],
    [200, own],
  ] as const) {
    const { id } = await create();
    await change(1, String(outcomes.length));
    state.nowMs += horizonMs + 90_000;
    state.answers = [status];
    const body = JSON.stringify({ organisation_id: state.organisationId, id });
    const line = await measured(() => deliverBatch({ Records: [{ messageId: id, body } as SQSRecord] }, table, used));
    outcomes.push([...names.map((name) => line[name]), line.waited]);
  }
  assert.deepEqual(outcomes, [
    [90, 1, undefined, undefined, 90 + horizonMs / 1_000],
    [90, undefined, 1, undefined, undefined],
    [90, undefined, undefined, 1, undefined],
  ]);
});

test("a batch measures how long the oldest of its changes has waited", async () => {
  const first = await create();
  await change(1, "A");
  state.nowMs += 60_000;
  const second = await create();
  await change(2, "B");
  state.nowMs += horizonMs + 5_000;
  const bodies = [first, second].map(({ id }) => JSON.stringify({ organisation_id: state.organisationId, id }));
  const Records = bodies.map((body) => ({ messageId: body, body }) as SQSRecord);
  const { waited } = await measured(() => deliverBatch({ Records }, table, sender));
  assert.equal(waited, 60 + horizonMs / 1_000 + 5);
});

test("a sweep measures how late it is, by the table's clock, and whether the key is usable, without which it wakes webhooks, too", async () => {
  const stored = (await readWebhook(table, state.organisationId, (await create()).id)) ?? assert.fail();
  const sweep = async (dueMs: number) => {
    await putItem(table, itemOf({ ...stored, next_attempt: new Date(dueMs).toISOString() }));
    const { woken, webhook_late_seconds, webhook_key_failures } = await measured(() =>
      handler({ source: "aws.events" }),
    );
    return {
      woken,
      isLate: Number(webhook_late_seconds) >= 100 && Number(webhook_late_seconds) < 1_000,
      webhook_key_failures,
    };
  };
  const nowMs = Date.now();
  assert.deepEqual(await sweep(nowMs - 100_000), { woken: 1, isLate: true, webhook_key_failures: 1 });
  process.env.WEBHOOK_LOCAL_KEY = "test";
  // This process's clock is an hour ahead.
  const clock = jest.spyOn(Date, "now").mockImplementation(() => nowMs + 3_600_000);
  assert.deepEqual(await sweep(nowMs + 600_000), { woken: 0, isLate: false, webhook_key_failures: 0 });
  clock.mockRestore();
});
