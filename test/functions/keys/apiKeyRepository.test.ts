import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, test } from "@jest/globals";
import { findApiKeyHash, isLastUsedStale, recordLastUsed } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { timeOrderedId } from "../../../functions/resources/fields.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { openTable } from "../../../functions/table/table.ts";
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

test("ids order by time of creation", async () => {
  const repository = apiKeyRepository(3, openTable());
  const first = await repository.create("1", [], someone);
  while (Date.now() <= Date.parse(first.stored.created));
  const second = await repository.create("2", [], someone);
  assert.ok(first.stored.id < second.stored.id);
});

describe("an Idempotency-Key", () => {
  const idempotencyKey = randomUUID();

  test("returns the same key again, even to requests at once, and is stored without the secret", async () => {
    const repository = apiKeyRepository(4, openTable());
    const create = () => repository.create("Once", ["write:orders"], someone, { idempotencyKey });
    const created = await Promise.all([create(), create(), create()]);
    created.push(await create());
    assert.deepEqual([...new Set(created.map(({ key }) => key))].length, 1);
    assert.equal(created.filter(({ isReplayed }) => !isReplayed).length, 1);
    assert.equal((await repository.list(PageQuery.parse({}))).data.length, 1);
    assert.equal((await repository.listActivity(PageQuery.parse({}))).data.length, 1);
    const dump = JSON.stringify(await dumpTable());
    for (const secret of [created[0]?.key.slice(12) ?? "", idempotencyKey]) assert.ok(!dump.includes(secret));
  });

  test("rejects a different request, belongs to one person, and is optional", async () => {
    const repository = apiKeyRepository(4, openTable());
    const options = { idempotencyKey };
    await assert.rejects(repository.create("Other", ["write:orders"], someone, options), {
      code: "idempotency_mismatch",
    });
    await assert.rejects(repository.create("Once", [], someone, options), { code: "idempotency_mismatch" });
    const other = await repository.create("Once", ["write:orders"], { ...someone, subject: "other" }, options);
    assert.equal(other.isReplayed, false);
    const [first, second] = [await repository.create("No", [], someone), await repository.create("No", [], someone)];
    assert.notEqual(first.stored.id, second.stored.id);
  });
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
