import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, jest, test } from "@jest/globals";
import { handler, patienceMs } from "../../../functions/keys/apiKeyAuthorizer.ts";
import { findApiKeyHash } from "../../../functions/keys/apiKeyHashes.ts";
import { ApiKeyPrincipal } from "../../../functions/keys/apiKeyPrincipal.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { KeyLine } from "../../../functions/keys/countUsage.ts";
import { logger } from "../../../functions/log/logger.ts";
import { keys as tableKeys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem, updateItem } from "../../../functions/table/writes.ts";
import { type FaultyProxy, faults, refusals, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const methodArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/v1/events/7/dates";
const authorize = (authorizationToken: string) => handler({ type: "TOKEN", authorizationToken, methodArn });

let proxy: FaultyProxy;
let keys: ReturnType<typeof apiKeyRepository>;

beforeAll(async () => {
  proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
  await useTestTable();
  keys = apiKeyRepository(1842, openTable());
});

beforeEach(() => {
  proxy.faultOf = () => undefined;
});

afterEach(() => {
  jest.restoreAllMocks();
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

test("allows an active key to use the stage, and describes the caller in strings", async () => {
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

test("logs why a key is refused, and of its first decision in any case", async () => {
  const outcomes: unknown[] = [];
  const spy = jest.spyOn(logger, "info").mockImplementation((...[, extra]) => {
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
  spy.mockRestore();
  assert.deepEqual(outcomes, ["unknown", "suspended", "revoked"]);
});

test("a planned revocation takes effect at its time, to the millisecond, and is written once", async () => {
  const at = new Date(Date.now() + 60_000);
  const { key, stored } = await keys.create("Planned", [], someone, { revokes_at: at.toISOString() });
  await authorize(`Bearer ${key}`);
  await untilUsed(stored.hash);
  const effectAt = (ms: number) => atTime(ms, () => effectOf(key));
  const effects = [await effectAt(at.getTime() - 1), await effectAt(at.getTime()), await effectAt(at.getTime() + 1)];
  assert.deepEqual(effects, ["Allow", "Deny", "Deny"]);
  assert.deepEqual(
    (await callsOf(() => authorize(`Bearer ${key}`))).map(({ action }) => action),
    ["GetItem"],
  );
});

test("a key without a planned revocation works after ten years", async () => {
  const { key } = await keys.create("Old", [], someone);
  assert.equal(await atTime(Date.now() + 3_653 * 24 * 3_600_000, () => effectOf(key)), "Allow");
});

/** Calls at a time of this process's clock. */
async function atTime<Result>(at: number, call: () => Promise<Result>): Promise<Result> {
  jest.useFakeTimers({
    now: at,
    doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "performance"],
  });
  return call();
}

async function effectOf(key: string) {
  return policyOf(await authorize(`Bearer ${key}`))[0]?.Effect;
}

for (const [change, next] of [
  ["withdrawal", null],
  ["later time", "2099-01-01T00:00:00.000Z"],
] as const) {
  test(`a planned revocation that has refused a key is not undone by a ${change} that was sent in time and arrives late`, async () => {
    const at = Date.now() + 60_000;
    const { key, stored } = await keys.create(`Late ${change}`, [], someone, {
      revokes_at: new Date(at).toISOString(),
    });
    const effects: unknown[] = [];
    proxy.faultOf = ({ action }) =>
      action === "TransactWriteItems"
        ? async (_outgoing, forward) => {
            effects.push(await atTime(at, () => effectOf(key)));
            await forward();
          }
        : undefined;
    const changed = atTime(at - 1, () => keys.planRevocation(stored.id, next, someone));
    await assert.rejects(changed, { code: "conflict" });
    proxy.faultOf = () => undefined;
    effects.push(await atTime(at + 1, () => effectOf(key)), await atTime(at - 10_000, () => effectOf(key)));
    assert.deepEqual(effects, ["Deny", "Deny", "Deny"]);
  });
}

/** Lets a process with its own clock change the plan of a key between an authorizer's read and its write. */
function changeMeanwhile(change: () => Promise<unknown>): void {
  proxy.faultOf = ({ action, input }) =>
    action === "UpdateItem" && JSON.parse(input).UpdateExpression.includes("#0")
      ? async (_outgoing, forward) => {
          proxy.faultOf = () => undefined;
          const nowMs = Date.now();
          await change();
          jest.setSystemTime(nowMs);
          await forward();
        }
      : undefined;
}

test("a planned revocation has refused nothing if the withdrawal came first, even if the key was read before", async () => {
  const at = Date.now() + 60_000;
  const revokes_at = new Date(at).toISOString();
  const { key, stored } = await keys.create("Withdrawn first", [], someone, { revokes_at });
  changeMeanwhile(() => atTime(at - 1, () => keys.planRevocation(stored.id, null, someone)));
  assert.equal(await atTime(at + 5, () => effectOf(key)), "Allow");
});

test("a planned revocation that was moved meanwhile is written before it refuses the key, too", async () => {
  const at = Date.now() + 60_000;
  const [revokes_at, later] = [new Date(at).toISOString(), new Date(at + 2).toISOString()];
  const { key, stored } = await keys.create("Moved", [], someone, { revokes_at });
  changeMeanwhile(() => atTime(at - 1, () => keys.planRevocation(stored.id, later, someone)));
  assert.equal(await atTime(at + 5, () => effectOf(key)), "Deny");
  const { status, revokes_at: due } = (await findApiKeyHash(openTable(), stored.hash)) ?? {};
  assert.deepEqual([status, due], ["revoked", later]);
});

test("a planned revocation is not decided while the table takes no writes", async () => {
  const at = Date.now() + 60_000;
  const { key } = await keys.create("Unwritable", [], someone, { revokes_at: new Date(at).toISOString() });
  proxy.faultOf = ({ action }) => (action === "UpdateItem" ? faults["failing with 500"] : undefined);
  await assert.rejects(
    atTime(at, () => effectOf(key)),
    { name: "Unavailable" },
  );
});

test("a key that a planned revocation has refused can be revoked by hand, by a process whose clock is behind", async () => {
  const at = Date.now() + 60_000;
  const { key, stored } = await keys.create("Behind", [], someone, { revokes_at: new Date(at).toISOString() });
  assert.equal(await atTime(at, () => effectOf(key)), "Deny");
  const revoked = await atTime(at - 5_000, () => keys.revoke(stored.id, someone));
  assert.equal(revoked.status, "revoked");
});

test("logs the request of a refused key for its usage, without what a client may have written into the path", async () => {
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

test("a key is not created if its organisation is suspended meanwhile", async () => {
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems"
      ? async (_outgoing, forward) => {
          await putItem(openTable(), { ...tableKeys.access(54), suspended: new Date().toISOString() });
          await forward();
        }
      : undefined;
  await assert.rejects(apiKeyRepository(54, openTable()).create("Late", [], someone), { code: "conflict" });
});

test("denies every other key in the same way, without a context and without throwing", async () => {
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

test("reads one item by its primary key, consistently, and none for a key with a wrong checksum", async () => {
  const { key, stored } = await keys.create("Reads", [], someone);
  await authorize(`Bearer ${key}`);
  await untilUsed(stored.hash);
  const [read, ...others] = await callsOf(() => authorize(`Bearer ${key}`));
  assert.deepEqual(others, []);
  assert.deepEqual([read.action, read.ConsistentRead, read.Key.PK.S], ["GetItem", true, `KEYHASH#${stored.hash}`]);
  const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  assert.deepEqual(await callsOf(() => authorize(`Bearer ${mistyped}`)), []);
});

test("writes the last use once, even for many first requests at once", async () => {
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

test("waits for the write of the last use no longer than a request may", () => {
  // docs/decisions/README.md, 0003
  assert.equal(patienceMs, 20);
});

test("throws if the table is unavailable, because the key may be valid", async () => {
  const { key } = await keys.create("Unasked", [], someone);
  proxy.faultOf = () => faults["failing with 500"];
  await assert.rejects(authorize(`Bearer ${key}`), { name: "Unavailable" });
});

test("fails closed after a fault of ours", async () => {
  const { key } = await keys.create("Denied", [], someone);
  proxy.faultOf = () => refusals.denied;
  await assert.rejects(authorize(`Bearer ${key}`), { name: "AccessDeniedException" });
});
