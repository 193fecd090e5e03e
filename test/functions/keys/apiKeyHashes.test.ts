import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { findApiKeyHash, isLastUsedStale, recordLastUsed } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { openTable } from "../../../functions/table/table.ts";
import { someone } from "../../support/data/someone.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeAll(useTestTable);

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
