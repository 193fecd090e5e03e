import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, jest, test } from "@jest/globals";
import { handler } from "../../../functions/keys/apiKeyAuthorizer.ts";
import { findApiKeyHash } from "../../../functions/keys/apiKeyHashes.ts";
import { ApiKeyPrincipal } from "../../../functions/keys/apiKeyPrincipal.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { KeyLine } from "../../../functions/keys/countUsage.ts";
import { logger } from "../../../functions/log/logger.ts";
import { itemKeys as tableKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { faults, refusals, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const methodArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/v1/events/7/dates";
const authorize = (authorizationToken: string) => handler({ type: "TOKEN", authorizationToken, methodArn });

const proxy = await useFaultyProxy();
let keys: ReturnType<typeof apiKeyRepository>;

beforeAll(async () => {
  await useTestTable();
  keys = apiKeyRepository(1842, openTable());
});

afterEach(() => {
  jest.useRealTimers();
});

/** The calls to the table that an authorization makes. */
async function callsOf(authorization: () => Promise<unknown>) {
  proxy.calls.length = 0;
  await authorization();
  return proxy.calls.map(({ action, input }) => ({ action, ...JSON.parse(input) }));
}

/** Waits for the write of a key's last use, which a response awaits only for 20 ms. */
async function untilUsed(hash: string): Promise<void> {
  while (!(await findApiKeyHash(openTable(), hash))?.last_used) await wait(10);
}

function policyOf({ policyDocument }: Awaited<ReturnType<typeof authorize>>) {
  return policyDocument.Statement;
}

const stageArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/*";
const statement = (Effect: string) => [{ Action: "execute-api:Invoke", Effect, Resource: stageArn }];

test("allows an active key to use the stage and describes the caller in strings", async () => {
  const { key, stored } = await keys.create("Nightly sync", ["write:orders"], someone);
  const result = await authorize(`Bearer ${key}`);
  assert.deepEqual(policyOf(result), statement("Allow"));
  assert.equal(result.principalId, stored.id);
  assert.deepEqual(result.context, {
    organisationId: "1842",
    keyId: stored.id,
    keyName: "Nightly sync",
    keyPrefix: stored.prefix,
    scopes: "read write:orders",
  });
  assert.deepEqual(ApiKeyPrincipal.parse(result.context).scopes, ["read", "write:orders"]);
});

test("logs why a key is refused", async () => {
  const outcomes: unknown[] = [];
  jest.spyOn(logger, "info").mockImplementation((...[, extra]) => {
    outcomes.push(Object(extra).outcome);
  });
  const { key, stored } = await keys.create("Suspended", [], someone);
  const change = (update: string, values?: object) =>
    updateItem(openTable(), tableKeys.apiKeyHash(stored.hash), { update, ...(values && { values: { ...values } }) });
  const tries = [mintApiKey().key, key];
  for (const token of tries) await authorize(`Bearer ${token}`);
  await change("SET suspended = :true", { ":true": true });
  await authorize(`Bearer ${key}`);
  await keys.revoke(stored.id, someone);
  await authorize(`Bearer ${key}`);
  assert.deepEqual(outcomes, ["unknown", "suspended", "revoked"]);
});

test("a key never expires by itself", async () => {
  const { key } = await keys.create("Old", [], someone);
  const inTenYears = Date.now() + 3_653 * 24 * 3_600_000;
  jest.useFakeTimers({
    now: inTenYears,
    doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "performance"],
  });
  assert.deepEqual(policyOf(await authorize(`Bearer ${key}`)), statement("Allow"));
});

test("logs the request of a refused key without what a client may have written into the path", async () => {
  const { key, stored } = await keys.create("Refused", [], someone);
  await keys.revoke(stored.id, someone);
  const lines: unknown[] = [];
  jest.spyOn(logger, "info").mockImplementation((...[, line]) => void lines.push(line));
  for (const path of ["v1/events/7/dates", "v1/orders/ada@riverside.example", `v1/tickets/${key}`]) {
    const arn = `arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/${path}`;
    const call = { type: "TOKEN", authorizationToken: `Bearer ${key}`, methodArn: arn } as const;
    await handler(call, { awsRequestId: "f1" });
    await handler({ ...call, authorizationToken: `Bearer ${mintApiKey().key}` }, { awsRequestId: "f1" });
  }
  const logged = lines.map((line) =>
    KeyLine.safeParse(JSON.parse(JSON.stringify({ message: "authorization", ...Object(line) }))),
  );
  assert.deepEqual(
    logged.map(({ data }) => data && "outcome" in data && `${data.key_id} ${data.outcome} ${data.method} ${data.path}`),
    ["/v1/events/7/dates", "/v1/orders/{id}", "/v1/tickets/{id}"].flatMap((path) => [
      `${stored.id} revoked GET ${path}`,
      undefined,
    ]),
  );
});

test("denies every other key in the same way", async () => {
  const { key, stored } = await keys.create("Revoked", [], someone);
  await keys.revoke(stored.id, someone);
  for (const token of [`Bearer ${key}`, `Bearer ${mintApiKey().key}`, "Bearer tsk_", "Basic x", "", key.slice(0, -1)]) {
    const result = await authorize(token);
    assert.deepEqual(result, {
      principalId: "unknown",
      policyDocument: { Version: "2012-10-17", Statement: statement("Deny") },
    });
  }
});

test("reads one item consistently, and none for a key with a wrong checksum", async () => {
  const { key, stored } = await keys.create("Reads", [], someone);
  await authorize(`Bearer ${key}`);
  await untilUsed(stored.hash);
  const [read, ...others] = await callsOf(() => authorize(`Bearer ${key}`));
  assert.deepEqual(others, []);
  assert.deepEqual([read.action, read.ConsistentRead, read.Key.PK.S], ["GetItem", true, `KEYHASH#${stored.hash}`]);
  const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  assert.deepEqual(await callsOf(() => authorize(`Bearer ${mistyped}`)), []);
});

test("writes the last use once for many concurrent first requests", async () => {
  const { key, stored } = await keys.create("Busy", [], someone);
  const requests = () => Promise.all(Array.from({ length: 50 }, () => authorize(`Bearer ${key}`)));
  const calls = await callsOf(requests);
  assert.equal(calls.filter(({ action }) => action === "UpdateItem").length, 1);
  await untilUsed(stored.hash);
  assert.deepEqual(new Set((await callsOf(requests)).map(({ action }) => action)), new Set(["GetItem"]));
});

for (const name of ["hanging", "failing with 500", "throttling", "closing connections"] as const) {
  test(`allows requests without delay when the write of the last use is ${name}`, async () => {
    const { key, stored } = await keys.create("Unwritten", [], someone);
    proxy.faultOf = ({ action }) => (action === "UpdateItem" ? faults[name] : undefined);
    const calls = await callsOf(async () => {
      assert.deepEqual(policyOf(await authorize(`Bearer ${key}`)), statement("Allow"));
      assert.deepEqual(policyOf(await authorize(`Bearer ${key}`)), statement("Allow"));
    });
    // A request that waited for a hanging write would see three tries. No request repeats another one's write.
    // The retries of the test before may still arrive.
    const isOwn = ({ Key }: { Key: { PK: { S: string } } }) => Key.PK.S === `KEYHASH#${stored.hash}`;
    const tries = calls.filter((call) => call.action === "UpdateItem" && isOwn(call)).length;
    assert.ok(name === "hanging" ? tries < 3 : tries <= 3);
  });
}

test("fails closed if the table is unavailable or denies the read", async () => {
  const { key } = await keys.create("Unasked", [], someone);
  proxy.faultOf = () => faults["failing with 500"];
  await assert.rejects(authorize(`Bearer ${key}`), { name: "Unavailable" });
  proxy.faultOf = () => refusals.denied;
  await assert.rejects(authorize(`Bearer ${key}`), { name: "AccessDeniedException" });
});
