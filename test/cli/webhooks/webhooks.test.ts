import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { activityRepository } from "../../../functions/audit/activityRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { readWebhook, type StoredWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { dumpItems } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { failing, idleUntil, putWebhook } from "../support/organisationContents.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

beforeEach(() => useTestTable());

const stored = async ({ organisation_id, id }: StoredWebhook) =>
  (await readWebhook(openTable(), organisation_id, id)) ?? assert.fail();

const pauseArguments = ({ organisation_id, id }: Pick<StoredWebhook, "organisation_id" | "id">) => [
  "--organisation",
  String(organisation_id),
  "--webhook",
  id,
  "--actor",
  "Grace",
];
const pause = (webhook: Pick<StoredWebhook, "organisation_id" | "id">, ...options: string[]) =>
  runProgram("webhook pause", [...pauseArguments(webhook), ...options, ...atTable()]);
const wake = (...options: string[]) => runProgram("webhooks wake", [...options, ...atTable()]);

test("a webhook is paused and resumed, and the organisation sees who did it", async () => {
  const url = "https://93.184.215.14/hook?token=7";
  const [webhook, other] = [await putWebhook(1, { ...failing, url }), await putWebhook(1, failing)];
  const paused = await pause(webhook);
  assert.deepEqual([paused.code, paused.stderr], [0, ""]);
  assert.match(
    paused.stdout,
    /^Webhook \w+ of organisation 1, https:\/\/93\.184\.215\.14\/hook, was active and is paused\.\n$/,
  );
  const { status: pausedStatus, next_poll: pausedPoll } = await stored(webhook);
  assert.deepEqual([pausedStatus, pausedPoll], ["paused", null]);
  assert.match((await pause(webhook, "--resume")).stdout, /was paused and is active\.\n$/);
  const { status, failures, next_poll } = await stored(webhook);
  assert.deepEqual([status, failures], ["active", 0]);
  assert.ok(next_poll !== null && next_poll < failing.next_poll);
  assert.deepEqual(await stored(other), other);
  const { data } = await activityRepository(1, openTable()).list({ per_page: 5 });
  assert.deepEqual(
    data.map(({ action, actor, webhook_id }) => [action, actor, webhook_id]),
    [1, 2].map(() => ["changed", "Grace (platform team)", webhook.id]),
  );
});

test("a webhook already in the wanted state stays unchanged, and a dry run changes nothing", async () => {
  const paused = await putWebhook(1, { status: "paused" });
  const active = await putWebhook(1, failing);
  await putWebhook(2);
  const before = await dumpItems();
  for (const [webhook, options, state] of [
    [paused, [], "paused"],
    [active, ["--resume"], "active"],
    [active, ["--dry-run"], "active"],
  ] as const) {
    const { code, stdout } = await pause(webhook, ...options);
    assert.deepEqual([code, stdout.endsWith(`, is ${state}. Nothing was changed.\n`)], [0, true], stdout);
  }
  assert.equal((await wake("--dry-run")).stdout, "Active webhooks: 2. Nothing was changed.\n");
  assert.deepEqual(await dumpItems(), before);
});

test("an unknown webhook is reported, and nothing is changed", async () => {
  const { id } = await putWebhook(1);
  const before = await dumpItems();
  const unknown = timeOrderedId(new Date().toISOString());
  for (const [commandLine, problem] of [
    [
      pauseArguments({ organisation_id: 1, id: unknown }),
      /^Organisation 1 has no webhook \w+\. Nothing was changed\.\n$/,
    ],
    [pauseArguments({ organisation_id: 2, id }), /^Organisation 2 has no webhook/],
  ] as const) {
    const { code, stdout, stderr } = await runProgram("webhook pause", [...commandLine, ...atTable()]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, problem);
  }
  assert.deepEqual(await dumpItems(), before);
});

test("every active webhook of all organisations, or of one, is polled soon, except one with a later retry", async () => {
  const unchanged = [await putWebhook(1, failing), await putWebhook(1, { status: "paused" })];
  // More than are scheduled concurrently.
  const idle = await Promise.all(Array.from({ length: 40 }, (_, index) => putWebhook(index + 1)));
  const due = async () => (await Promise.all(idle.map(stored))).filter(({ next_poll }) => next_poll !== idleUntil);
  assert.equal(
    (await wake("--organisation", "1")).stdout,
    "Active webhooks: 2. The service will poll each within minutes.\n",
  );
  assert.deepEqual(
    (await due()).map(({ organisation_id }) => organisation_id),
    [1],
  );
  const { code, stdout } = await wake();
  assert.deepEqual([code, stdout], [0, "Active webhooks: 41. The service will poll each within minutes.\n"]);
  assert.equal((await due()).length, 40);
  assert.deepEqual(await Promise.all(unchanged.map(stored)), unchanged);
});
