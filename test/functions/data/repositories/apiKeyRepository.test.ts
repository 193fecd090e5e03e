import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { hashApiKey } from "../../../../functions/auth/apiKeySecret.ts";
import { findApiKeyHash } from "../../../../functions/data/repositories/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../../functions/data/repositories/apiKeyRepository.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import { dumpTable } from "../../../support/data/dumpTable.ts";
import { someone } from "../../../support/data/someone.ts";
import { useTestTable } from "../../../support/data/testTable.ts";

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

test("revoking is one transaction on both items, can be repeated, and cannot be undone", async () => {
  const table = openTable();
  const repository = apiKeyRepository(1, table);
  const { key, stored } = await repository.create("Old", ["read"], someone);
  const [first, second] = await Promise.all([
    repository.revoke(stored.id, someone),
    repository.revoke(stored.id, someone),
  ]);
  assert.deepEqual(first, second);
  assert.equal(first.status, "revoked");
  assert.equal((await findApiKeyHash(table, hashApiKey(key)))?.status, "revoked");
  assert.deepEqual(await repository.revoke(stored.id, someone), first);
});

test("a key of another organisation is not found", async () => {
  const { stored } = await apiKeyRepository(1, openTable()).create("Theirs", ["read"], someone);
  await assert.rejects(apiKeyRepository(2, openTable()).revoke(stored.id, someone), { code: "not_found" });
  await assert.rejects(apiKeyRepository(1, openTable()).revoke("unknown", someone), { code: "not_found" });
});

test("ids order by time of creation", async () => {
  const repository = apiKeyRepository(3, openTable());
  const first = await repository.create("1", [], someone);
  while (Date.now() <= Date.parse(first.stored.created));
  const second = await repository.create("2", [], someone);
  assert.ok(first.stored.id < second.stored.id);
});
