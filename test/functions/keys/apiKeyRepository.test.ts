import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { type Activity, activityRepository } from "../../../functions/audit/activityRepository.ts";
import {
  erasedRevoked,
  findApiKeyHash,
  isLastUsedStale,
  recordLastUsed,
} from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem, transactWrite, updateItem } from "../../../functions/table/writes.ts";
import { someone } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { repository as webhooks } from "../../support/webhooks/repositories.ts";

beforeAll(useTestTable);

test("a key shows that its organisation is suspended until it is resumed", async () => {
  const [table, repository] = [openTable(), apiKeyRepository(55, openTable())];
  const { stored } = await repository.create("Suspended", [], someone);
  const change = (change: Parameters<typeof updateItem>[2]) =>
    updateItem(table, itemKeys.apiKeyHash(stored.hash), change);
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

test("while an organisation is erased, no change adds to what is left of a revoked key", async () => {
  const [table, repository] = [openTable(), apiKeyRepository(17, openTable())];
  const [revoked, active] = await Promise.all(["Old", "New"].map((name) => repository.create(name, [], someone)));
  assert.ok(revoked && active);
  await repository.revoke(revoked.stored.id, someone);
  const left = { ...itemKeys.apiKeyHash(revoked.stored.hash), ...erasedRevoked };
  await putItem(table, left);
  await transactWrite(table, [{ delete: itemKeys.apiKeyHash(active.stored.hash), condition: {} }]);
  const { data } = await repository.list(PageQuery.parse({}));
  assert.deepEqual(new Set(data.map(({ last_used }) => last_used)), new Set([null]));
  await repository.rename(revoked.stored.id, "Changed", someone);
  assert.deepEqual(await getItem(table, left), left);
  assert.equal(await findApiKeyHash(table, revoked.stored.hash), undefined);
});

const minuteMs = 60_000;

test("the last use is written at most once per minute, even by several writers", async () => {
  const table = openTable();
  const { stored } = await apiKeyRepository(1, table).create("Key", [], someone);
  const found = async () => (await findApiKeyHash(table, stored.hash)) ?? assert.fail();
  const first = new Date("2026-01-01T00:00:00.000Z");
  const [early, later] = [minuteMs - 1, minuteMs].map((ms) => new Date(first.getTime() + ms)) as [Date, Date];
  assert.ok(isLastUsedStale(await found(), first));
  await Promise.all(Array.from({ length: 5 }, () => recordLastUsed(table, stored.hash, first)));
  assert.deepEqual(
    [early, later].map((at) => isLastUsedStale({ ...stored, organisation_id: 1, last_used: first.toISOString() }, at)),
    [false, true],
  );
  await recordLastUsed(table, stored.hash, early);
  assert.equal((await found()).last_used, first.toISOString());
  await recordLastUsed(table, stored.hash, later);
  assert.equal((await found()).last_used, later.toISOString());
});

test("the last use of a revoked or unknown key is not written", async () => {
  const table = openTable();
  const repository = apiKeyRepository(1, table);
  const { stored } = await repository.create("Key", [], someone);
  await repository.revoke(stored.id, someone);
  const unknown = "0".repeat(64);
  for (const hash of [stored.hash, unknown]) await recordLastUsed(table, hash, new Date());
  assert.equal((await findApiKeyHash(table, stored.hash))?.last_used, null);
  assert.equal(await findApiKeyHash(table, unknown), undefined);
});

test("an entry has the members of its kind, and null for those of the other", async () => {
  const { stored } = await apiKeyRepository(20, openTable()).create("Key", [], someone);
  const { id } = (await webhooks(20).create({ url: "https://93.184.215.14/hook" }, someone)).webhook;
  const { data } = await activityRepository(20, openTable()).list({ per_page: 50 });
  const entryOf = (kind: Activity["kind"]) => {
    const { id: _, time: __, ...entry } = data.find((one) => one.kind === kind) ?? assert.fail(kind);
    return entry;
  };
  const common = { action: "created", actor: someone.name, actor_id: someone.subject, former_name: null };
  const ofKey = { key_id: stored.id, key_name: "Key", key_prefix: stored.prefix, scopes: ["read"] };
  const ofWebhook = { webhook_id: id, url: "https://93.184.215.14/hook" };
  const without = (members: object) => Object.fromEntries(Object.keys(members).map((name) => [name, null]));
  assert.deepEqual(entryOf("api_key"), { kind: "api_key", ...common, ...ofKey, ...without(ofWebhook) });
  assert.deepEqual(entryOf("webhook"), { kind: "webhook", ...common, ...ofWebhook, ...without(ofKey) });
});
