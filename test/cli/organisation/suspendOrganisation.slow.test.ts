import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { beforeEach, test } from "@jest/globals";
import { findApiKeyHash } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { itemKeys as tableKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { refusals } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { deleteItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { failing, isAccepted, putWebhook } from "../support/organisationContents.ts";
import { atTable, type ProgramOptions, runProgram, runWithFaults } from "../support/runProgram.ts";

let keys: string[] = [];
let others: string[] = [];
const create = async (organisationId: number) =>
  (await apiKeyRepository(organisationId, openTable()).create("Nightly sync", [], someone)).key;

beforeEach(async () => {
  await useTestTable();
  keys = [await create(1), await create(1), await create(1)];
  others = [await create(10)];
});

const as = (organisationId: number) => ["--organisation", String(organisationId), "--actor", "Grace"];
const suspend = (organisationId = 1, options: ProgramOptions = {}) =>
  runProgram("organisation suspend", [...as(organisationId), ...atTable()], options);
const resume = (organisationId = 1) =>
  runProgram("organisation suspend", [...as(organisationId), "--resume", ...atTable()]);

const accepted = (some: string[]) => Promise.all(some.map(isAccepted));

/** All items except the audit, without the times of last use. */
const dump = async () =>
  (await dumpTable()).filter(({ PK }) => PK !== "AUDIT#organisations").map(({ last_used: _, ...item }) => item);

test("a suspension refuses every key of the organisation and no other, until its resumption", async () => {
  const repository = apiKeyRepository(1, openTable());
  const { data } = await repository.list({ per_page: 10 });
  await repository.revoke(data.at(-1)?.id ?? "", someone);
  const before = await dump();
  assert.deepEqual(await accepted(keys), [false, true, true]);
  const suspended = await suspend(1, { asProcess: true });
  assert.deepEqual([suspended.code, suspended.stderr], [0, ""]);
  assert.equal(
    suspended.stdout,
    `Organisation 1: its 2 API keys get 401, and its 0 active webhooks send nothing, until you resume the organisation.
To resume it:
  npm run ops -- organisation suspend --organisation 1 --actor NAME --resume ${atTable().join(" ")}\n`,
  );
  assert.deepEqual([await accepted(keys), await accepted(others)], [[false, false, false], [true]]);
  const resumed = await resume();
  assert.equal(resumed.stdout, "Organisation 1: its 2 API keys work again, and its 0 active webhooks continue.\n");
  assert.deepEqual(await accepted(keys), [false, true, true]);
  assert.deepEqual(await dump(), before);
});

test("nobody can create a key meanwhile, and the refusal says why", async () => {
  await suspend();
  await assert.rejects(create(1), { code: "conflict", message: "The organisation is suspended." });
  await create(10);
  await resume();
  assert.deepEqual(await accepted([await create(1)]), [true]);
});

test("a key that is created while a suspension begins does not escape it", async () => {
  for (let round = 0; round < 10; round++) {
    const created = Promise.allSettled([create(1), create(1), create(1)]);
    await suspend();
    const made = (await created).flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    assert.deepEqual(
      await accepted(made),
      made.map(() => false),
    );
    await resume();
  }
});

test("a suspension writes nothing about a key that was erased meanwhile", async () => {
  await deleteItems([tableKeys.apiKeyHash(hashApiKey(keys[0] ?? ""))]);
  await suspend();
  assert.deepEqual(await findApiKeyHash(openTable(), hashApiKey(keys[0] ?? "")), undefined);
  assert.deepEqual(await accepted(keys.slice(1)), [false, false]);
});

test("a run that is interrupted is completed by the next", async () => {
  let updates = 0;
  const failed = await runWithFaults("organisation suspend", as(1), ({ action }) =>
    action === "UpdateItem" && ++updates > 2 ? refusals.denied : undefined,
  );
  assert.equal(failed.code, 2);
  // New keys are refused from the first step on.
  await assert.rejects(create(1), { code: "conflict" });
  assert.equal((await suspend()).code, 0);
  assert.deepEqual(await accepted(keys), [false, false, false]);
});

test("an unknown organisation is refused, and nothing is changed", async () => {
  const before = await dumpTable();
  const { code, stderr } = await suspend(99);
  assert.deepEqual([code, stderr], [2, "The table has no API key and no webhook of organisation 99.\n"]);
  assert.deepEqual(await dumpTable(), before);
});

/** The state of the organisation and of its webhook. */
async function stateOf({ organisation_id, id }: { organisation_id: number; id: string }) {
  const access = await getItem(openTable(), tableKeys.access(organisation_id));
  const { status, failures, next_attempt } = (await readWebhook(openTable(), organisation_id, id)) ?? assert.fail();
  return [access?.suspended !== undefined, status, failures, next_attempt];
}

test("the webhooks of a suspended organisation are polled again once it is resumed", async () => {
  const active = await putWebhook(7, failing);
  const paused = await putWebhook(7, { ...failing, status: "paused" });
  const suspended = await suspend(7);
  assert.deepEqual([suspended.code, suspended.stderr], [0, ""]);
  assert.match(suspended.stdout, /its 0 API keys .* its 1 active webhooks send nothing/);
  assert.deepEqual(await stateOf(active), [true, "active", failing.failures, failing.next_attempt]);
  const startMs = Date.now();
  assert.match((await resume(7)).stdout, /its 1 active webhooks continue\.\n$/);
  const [isSuspended, status, failures, due] = await stateOf(active);
  assert.deepEqual([isSuspended, status, failures], [false, "active", 0]);
  // The poll is due some seconds after the write.
  assert.ok(Math.abs(Date.parse(String(due)) - startMs) < 600_000, String(due));
  assert.deepEqual(await stateOf(paused), [false, "paused", failing.failures, failing.next_attempt]);
});

test("no interruption of a resumption leaves a webhook that nobody polls, and the next run completes it", async () => {
  const webhook = await putWebhook(1, failing);
  await suspend();
  const before = await stateOf(webhook);
  for (let taken = 0; taken < 4; taken++) {
    let writes = 0;
    const failed = await runWithFaults("organisation suspend", [...as(1), "--resume"], ({ action }) =>
      /^(UpdateItem|TransactWriteItems)$/.test(action) && writes++ >= taken ? refusals.denied : undefined,
    );
    assert.equal(failed.code, 2);
    assert.deepEqual(await stateOf(webhook), before);
  }
  assert.equal((await resume()).code, 0);
  assert.equal((await stateOf(webhook))[2], 0);
});

test("a resumption keeps what somebody changes in a webhook meanwhile", async () => {
  const [changed, deleted] = [await putWebhook(1, failing), await putWebhook(1, failing)];
  await suspend();
  let tries = 0;
  const change = async (outgoing: ServerResponse) => {
    const webhooks = webhookRepository(1, openTable());
    await webhooks.update(changed.id, { description: "Meanwhile" }, someone);
    await webhooks.delete(deleted.id, someone);
    outgoing.destroy();
  };
  const { code, stdout } = await runWithFaults("organisation suspend", [...as(1), "--resume"], ({ action }) =>
    action === "TransactWriteItems" && ++tries === 1 ? change : undefined,
  );
  assert.deepEqual([code, /its 1 active webhooks continue/.test(stdout)], [0, true]);
  const stored = await readWebhook(openTable(), 1, changed.id);
  assert.deepEqual([stored?.description, stored?.failures], ["Meanwhile", 0]);
});
