import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { activityRepository } from "../../../functions/keys/activityRepository.ts";
import { findApiKeyHash, isLastUsedStale, recordLastUsed } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { someone } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeAll(useTestTable);

test("a key shows that its organisation is suspended until it is resumed", async () => {
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

test("an active or revoked key can be renamed, and the activity has both names", async () => {
  const repository = apiKeyRepository(15, openTable());
  const { stored } = await repository.create("Sync", [], someone);
  await repository.revoke(stored.id, someone);
  assert.equal((await repository.rename(stored.id, "Sync, Riverside", someone)).name, "Sync, Riverside");
  assert.equal((await findApiKeyHash(openTable(), stored.hash))?.name, "Sync, Riverside");
  const before = await dumpTable();
  await repository.rename(stored.id, "Sync, Riverside", someone);
  assert.deepEqual(await dumpTable(), before);
  const [entry] = (await activityRepository(15, openTable()).list(PageQuery.parse({}))).data;
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
