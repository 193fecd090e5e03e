import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, jest, test } from "@jest/globals";
import { activityRepository } from "../../../functions/keys/activityRepository.ts";
import { findApiKeyHash, isLastUsedStale, recordLastUsed } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { someone } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeAll(useTestTable);

test("a created key is listed and found by its hash, always has the read scope, and is stored only as its hash", async () => {
  const table = openTable();
  const { key, stored } = await apiKeyRepository(1, table).create("Nightly sync", ["write:orders"], someone);
  assert.deepEqual(stored.scopes, ["read", "write:orders"]);
  assert.equal(table.usage.calls.TransactWriteItems, 1);
  const found = await findApiKeyHash(table, hashApiKey(key));
  assert.deepEqual(
    { organisation: found?.organisation_id, id: found?.id, scopes: found?.scopes, status: found?.status },
    { organisation: 1, id: stored.id, scopes: stored.scopes, status: "active" },
  );
  assert.ok(!JSON.stringify(await dumpTable()).includes(key.slice(12)));
});

test("all keys of an organisation have its tag, also if the first ones are created at once", async () => {
  const create = (organisationId: number) => () =>
    apiKeyRepository(organisationId, openTable()).create("Tag", [], someone);
  const tagsOf = (created: { key: string }[]) => new Set(created.map(({ key }) => key.slice(-11, -6)));
  const first = await Promise.all(Array.from({ length: 5 }, create(51)));
  const later = await create(51)();
  const others = [await create(52)(), await create(53)()];
  assert.equal(tagsOf([...first, later]).size, 1);
  assert.equal(tagsOf([...first, ...others]).size, 3);
});

test("a key says that its organisation is suspended, in the list and after each change, until it is resumed", async () => {
  const [table, repository] = [openTable(), apiKeyRepository(55, openTable())];
  const { stored } = await repository.create("Suspended", [], someone);
  const change = (change: Parameters<typeof updateItem>[2]) => updateItem(table, keys.apiKeyHash(stored.hash), change);
  const listed = async () => (await repository.list(PageQuery.parse({}))).data.map(({ suspended }) => suspended);
  assert.deepEqual(await listed(), [false]);
  await change({ update: "SET suspended = :true", values: { ":true": true } });
  assert.deepEqual(await listed(), [true]);
  assert.equal((await repository.rename(stored.id, "Still suspended", someone)).suspended, true);
  await change({ update: "REMOVE suspended" });
  assert.deepEqual(await listed(), [false]);
});

test("ids order by time of creation", async () => {
  const repository = apiKeyRepository(3, openTable());
  const first = await repository.create("1", [], someone);
  while (Date.now() <= Date.parse(first.stored.created));
  const second = await repository.create("2", [], someone);
  assert.ok(first.stored.id < second.stored.id);
});

describe("a key that replaces another", () => {
  test("is not created unless the other is an active key of the organisation", async () => {
    const repository = apiKeyRepository(6, openTable());
    const { stored: revoked } = await repository.create("Gone", [], someone);
    await repository.revoke(revoked.id, someone);
    const { stored: foreign } = await apiKeyRepository(7, openTable()).create("Theirs", [], someone);
    const before = await dumpTable();
    for (const replaces of [revoked.id, foreign.id, timeOrderedId(new Date().toISOString())]) {
      const options = { replaces, idempotencyKey: randomUUID() };
      await assert.rejects(repository.create("Next", [], someone, options), { code: "conflict" });
    }
    assert.deepEqual(await dumpTable(), before);
  });

  test("is refused if the other has an active successor, which the error names", async () => {
    const repository = apiKeyRepository(8, openTable());
    const { stored: old } = await repository.create("Sync", [], someone);
    const { stored: successor } = await repository.create("Sync 2", [], someone, { replaces: old.id });
    const before = await dumpTable();
    const again = () => repository.create("Sync 3", [], someone, { replaces: old.id, idempotencyKey: randomUUID() });
    await assert.rejects(again, { code: "conflict", message: new RegExp(`Sync 2 \\(${successor.id}\\)`) });
    assert.deepEqual(await dumpTable(), before);
    await repository.revoke(successor.id, someone);
    const { stored: third } = await again();
    const keyOf = async (id: string) =>
      (await repository.list({ per_page: 50, cursor: undefined })).data.find((key) => key.id === id);
    assert.equal((await keyOf(old.id))?.replaced_by, third.id);
  });

  test("is created once if two are created at once", async () => {
    const repository = apiKeyRepository(9, openTable());
    const { stored: old } = await repository.create("Sync", [], someone);
    const tries = [1, 2, 3, 4].map((number) => repository.create(`Next ${number}`, [], someone, { replaces: old.id }));
    const results = await Promise.allSettled(tries);
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    assert.equal(refused.length, 3);
    for (const { code, message } of refused) {
      assert.equal(code, "conflict");
      assert.match(message, /successor already: Next \d/);
    }
  });
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const listed = async (repository: ReturnType<typeof apiKeyRepository>, id: string) =>
  (await repository.list(PageQuery.parse({}))).data.find((key) => key.id === id);
const activity = async (organisationId: number) =>
  (await activityRepository(organisationId, openTable()).list(PageQuery.parse({}))).data;
const actions = async (organisationId: number) => (await activity(organisationId)).map(({ action }) => action);
const other = { name: "bob@riverside.example", subject: "bob" };
const clock = ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "performance"] as const;
afterEach(() => {
  jest.useRealTimers();
});

test("a planned revocation can be moved and withdrawn, with entries in the activity, and repeating it changes nothing", async () => {
  const repository = apiKeyRepository(11, openTable());
  const [first, second] = [inMs(60_000), inMs(120_000)];
  const { stored } = await repository.create("Trial", [], someone, { revokes_at: first });
  assert.equal((await listed(repository, stored.id))?.revokes_at, first);
  assert.equal((await repository.planRevocation(stored.id, second, someone)).revokes_at, second);
  const before = await dumpTable();
  await repository.planRevocation(stored.id, second, someone);
  assert.deepEqual(await dumpTable(), before);
  assert.equal((await repository.planRevocation(stored.id, null, someone)).revokes_at, null);
  await repository.planRevocation(stored.id, null, someone);
  assert.deepEqual(await actions(11), ["revocation_withdrawn", "revocation_planned", "created"]);
});

test("a planned revocation of two people at once is one of the two, and both are in the activity", async () => {
  const repository = apiKeyRepository(12, openTable());
  const { stored } = await repository.create("Moved", [], someone);
  const times = [inMs(60_000), inMs(120_000)] as const;
  await Promise.all(times.map((at) => repository.planRevocation(stored.id, at, someone)));
  const { revokes_at } = (await listed(repository, stored.id)) ?? {};
  assert.ok(times.some((at) => at === revokes_at));
  assert.equal((await findApiKeyHash(openTable(), stored.hash))?.revokes_at, revokes_at);
  assert.deepEqual(await actions(12), ["revocation_planned", "revocation_planned", "created"]);
});

test("a planned revocation makes the key revoked at its time, by the person who planned it, and nothing can change that afterwards", async () => {
  const repository = apiKeyRepository(13, openTable());
  const { stored } = await repository.create("Ended", [], someone);
  const at = inMs(60_000);
  await repository.planRevocation(stored.id, at, other);
  jest.useFakeTimers({ now: Date.parse(at) - 1, doNotFake: [...clock] });
  assert.equal((await listed(repository, stored.id))?.status, "active");
  jest.setSystemTime(Date.parse(at));
  const ended = await listed(repository, stored.id);
  const { status, revoked, revoked_by, revokes_at } = ended ?? {};
  assert.deepEqual([status, revoked, revoked_by, revokes_at], ["revoked", at, other.name, null]);
  const before = await dumpTable();
  for (const late of [null, inMs(60_000)])
    await assert.rejects(repository.planRevocation(stored.id, late, someone), { code: "conflict" });
  await assert.rejects(repository.create("Next", [], someone, { replaces: stored.id }), { code: "conflict" });
  assert.deepEqual(await repository.revoke(stored.id, someone), ended);
  assert.deepEqual(await dumpTable(), before);
});

test("a planned revocation that has taken effect for the authorizer can only be confirmed, even by a reader who does not see it", async () => {
  const repository = apiKeyRepository(18, openTable());
  const { stored } = await repository.create("Due", [], someone);
  const update = { update: "SET revokes_at = :at", values: { ":at": new Date(Date.now() - 1).toISOString() } };
  await updateItem(openTable(), keys.apiKeyHash(stored.hash), update);
  const before = await dumpTable();
  await assert.rejects(repository.planRevocation(stored.id, inMs(60_000), someone), { code: "conflict" });
  assert.deepEqual(await dumpTable(), before);
  assert.equal((await repository.revoke(stored.id, someone)).status, "revoked");
  assert.equal((await findApiKeyHash(openTable(), stored.hash))?.status, "revoked");
});

test("a planned revocation gives way to a revocation now", async () => {
  const repository = apiKeyRepository(14, openTable());
  const { stored } = await repository.create("Sooner", [], someone, { revokes_at: inMs(60_000) });
  const { status, revoked_by, revokes_at } = await repository.revoke(stored.id, other);
  assert.deepEqual([status, revoked_by, revokes_at], ["revoked", other.name, null]);
  assert.equal((await findApiKeyHash(openTable(), stored.hash))?.status, "revoked");
});

test("a key is renamed for super-admins and for itself, also when revoked, and the activity has both names", async () => {
  const repository = apiKeyRepository(15, openTable());
  const { stored } = await repository.create("Sync", [], someone);
  await repository.revoke(stored.id, someone);
  assert.equal((await repository.rename(stored.id, "Sync, Riverside", someone)).name, "Sync, Riverside");
  assert.equal((await findApiKeyHash(openTable(), stored.hash))?.name, "Sync, Riverside");
  const before = await dumpTable();
  await repository.rename(stored.id, "Sync, Riverside", someone);
  assert.deepEqual(await dumpTable(), before);
  const [entry] = await activity(15);
  assert.deepEqual([entry?.action, entry?.former_name, entry?.key_name], ["renamed", "Sync", "Sync, Riverside"]);
  await assert.rejects(apiKeyRepository(16, openTable()).rename(stored.id, "x", someone), { code: "not_found" });
});

const minuteMs = 60_000;

async function newKey() {
  const table = openTable();
  const repository = apiKeyRepository(1, table);
  const { key, stored } = await repository.create("Key", ["read"], someone);
  const hash = hashApiKey(key);
  const lastUsed = async () => (await findApiKeyHash(table, hash))?.last_used;
  return { table, hash, lastUsed, revoke: () => repository.revoke(stored.id, someone) };
}

test("the last use is written at most once per minute, even by several writers", async () => {
  const { table, hash, lastUsed } = await newKey();
  assert.equal(await lastUsed(), null);
  const first = new Date("2026-01-01T00:00:00.000Z");
  await Promise.all(Array.from({ length: 5 }, () => recordLastUsed(table, hash, first)));
  assert.equal(await lastUsed(), first.toISOString());
  await recordLastUsed(table, hash, new Date(first.getTime() + minuteMs - 1));
  assert.equal(await lastUsed(), first.toISOString());
  const later = new Date(first.getTime() + minuteMs);
  await recordLastUsed(table, hash, later);
  assert.equal(await lastUsed(), later.toISOString());
});

test("the last use of a revoked key is not written", async () => {
  const { table, hash, lastUsed, revoke } = await newKey();
  await revoke();
  await recordLastUsed(table, hash, new Date());
  assert.equal(await lastUsed(), null);
});

test("the last use of an unknown key creates no item", async () => {
  const table = openTable();
  await recordLastUsed(table, "0".repeat(64), new Date());
  assert.equal(await findApiKeyHash(table, "0".repeat(64)), undefined);
});

test("a stored last use is stale after a minute", async () => {
  const { table, hash } = await newKey();
  const now = new Date("2026-01-01T00:01:00.000Z");
  const found = await findApiKeyHash(table, hash);
  assert.ok(found);
  assert.ok(isLastUsedStale(found, now));
  assert.ok(isLastUsedStale({ ...found, last_used: "2026-01-01T00:00:00.000Z" }, now));
  assert.ok(!isLastUsedStale({ ...found, last_used: "2026-01-01T00:00:00.001Z" }, now));
});
