import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { activityRepository } from "../../../functions/keys/activityRepository.ts";
import { ApiKey, ApiKeyInput } from "../../../functions/keys/apiKey.ts";
import { wasCreatedHere } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { conflict, type FaultyProxy, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

let proxy: FaultyProxy;
beforeAll(async () => {
  const { endpoint, tableName } = await useTestTable();
  proxy = await startFaultyProxy(endpoint);
  useLocalTable(proxy.url, tableName);
});
afterAll(() => proxy.close());

let organisationId = 0;
let repository = apiKeyRepository(0, openTable());
beforeEach(() => {
  organisationId += 1;
  repository = apiKeyRepository(organisationId, openTable());
  proxy.faultOf = () => undefined;
  proxy.calls.length = 0;
});

const listed = async () => (await repository.list(PageQuery.parse({}))).data;
const create = (idempotencyKey?: string, name = "Nightly sync") =>
  repository.create(name, ["write:orders"], someone, { ...(idempotencyKey && { idempotencyKey }) });
const transactions = () => proxy.calls.filter(({ action }) => action === "TransactWriteItems");
const tokensOf = () => transactions().map(({ input }) => JSON.parse(input).ClientRequestToken);

test("a creation that is repeated, even at once, makes one key, whose secret only one request gets", async () => {
  const idempotencyKey = randomUUID();
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => create(idempotencyKey)));
  results.push(...(await Promise.allSettled([create(idempotencyKey)])));
  const [key, ...others] = await listed();
  assert.deepEqual(others, []);
  assert.deepEqual(
    results.flatMap((result) => (result.status === "fulfilled" ? [result.value.stored.id] : [])),
    [key?.id],
  );
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const { code, members } of refusals) assert.deepEqual([code, members], ["conflict", { key_id: key?.id }]);
  assert.equal((await activityRepository(organisationId, openTable()).list(PageQuery.parse({}))).data.length, 1);
});

test("an Idempotency-Key refuses another request, belongs to one person, and is optional", async () => {
  const idempotencyKey = randomUUID();
  await create(idempotencyKey);
  await assert.rejects(create(idempotencyKey, "Other"), { code: "idempotency_mismatch" });
  await assert.rejects(repository.create("Nightly sync", [], someone, { idempotencyKey }), {
    code: "idempotency_mismatch",
  });
  const other = { ...someone, subject: "other" };
  await repository.create("Nightly sync", ["write:orders"], other, { idempotencyKey });
  await create();
  await create();
  assert.equal((await listed()).length, 4);
});

test("a key has what its creation gives, and an Idempotency-Key refuses a request that gives anything else", async () => {
  const given = { ...exampleOf(ApiKey), replaces: null, revokes_at: null };
  const names = Object.keys(ApiKeyInput.shape) as (keyof typeof given)[];
  const { name, scopes, ...options } = ApiKeyInput.parse(Object.fromEntries(names.map((one) => [one, given[one]])));
  const idempotencyKey = randomUUID();
  const { stored } = await repository.create(name, scopes, someone, { ...options, idempotencyKey });
  for (const one of names) assert.deepEqual(Object(stored)[one], given[one], `newKey does not store ${one}.`);
  for (const one of Object.keys(options).filter((one) => Object(options)[one] !== null))
    await assert.rejects(
      repository.create(name, scopes, someone, { ...options, [one]: null, idempotencyKey }),
      { code: "idempotency_mismatch" },
      `createKey does not compare ${one}.`,
    );
});

for (const idempotencyKey of [randomUUID(), undefined]) {
  const which = idempotencyKey === undefined ? "without" : "with";

  test(`a creation ${which} an Idempotency-Key returns its secret if the table's response was lost`, async () => {
    let lost = 1;
    proxy.faultOf = ({ action }) =>
      action === "TransactWriteItems" && lost-- > 0
        ? (outgoing, forward) => void forward().then(() => outgoing.destroy())
        : undefined;
    const { stored } = await create(idempotencyKey);
    assert.deepEqual(
      (await listed()).map(({ id }) => id),
      [stored.id],
    );
    const [first, second, ...others] = tokensOf();
    assert.deepEqual([second, others], [first, []]);
  });

  test(`a creation ${which} an Idempotency-Key returns its secret if a lost success is followed by a conflict`, async () => {
    const faults = [
      (outgoing, forward) => void forward().then(() => outgoing.destroy()),
      conflict,
    ] satisfies (typeof conflict)[];
    proxy.faultOf = ({ action }) => (action === "TransactWriteItems" ? faults.shift() : undefined);
    const { key, stored } = await create(idempotencyKey);
    assert.match(key, /^tsk_/);
    assert.deepEqual(
      (await listed()).map(({ id }) => id),
      [stored.id],
    );
    // The third try had a token of its own, so the table could not know that it had succeeded before.
    assert.deepEqual([tokensOf().length, new Set(tokensOf()).size], [3, 2]);
  });
}

test("a successor whose secret was lost is revoked, and another replaces the same key", async () => {
  const { stored: old } = await create();
  const replace = (idempotencyKey: string) =>
    repository.create("Successor", [], someone, { replaces: old.id, idempotencyKey });
  const idempotencyKey = randomUUID();
  const { stored: lost } = await replace(idempotencyKey);
  await assert.rejects(replace(idempotencyKey), { code: "conflict", members: { key_id: lost.id } });
  await assert.rejects(replace(randomUUID()), { code: "conflict", members: {} });
  await repository.revoke(lost.id, someone);
  await assert.rejects(replace(idempotencyKey), { code: "conflict", members: { key_id: lost.id } });
  const { stored: next } = await replace(randomUUID());
  assert.equal((await listed()).find(({ id }) => id === old.id)?.replaced_by, next.id);
});

test("a creation takes two calls to the table, and up to five with an Idempotency-Key and a key to replace", async () => {
  const { stored: old } = await create();
  const { stored: lost } = await repository.create("Successor", [], someone, { replaces: old.id });
  await repository.revoke(lost.id, someone);
  proxy.calls.length = 0;
  await create();
  assert.equal(proxy.calls.length, 2);
  await repository.create("Successor", [], someone, { replaces: old.id, idempotencyKey: randomUUID() });
  assert.equal(proxy.calls.length, 2 + 5);
});

test("the end of a key is planned for the future, within five years", () => {
  const planned = (revokes_at: string) => ApiKeyInput.safeParse({ name: "Trial", scopes: [], revokes_at }).success;
  const years = (count: number, days = 0) => {
    const now = new Date();
    return new Date(now.setUTCFullYear(now.getUTCFullYear() + count) + days * 24 * 60 * 60 * 1_000).toISOString();
  };
  assert.deepEqual([years(0, -1), years(0, 1), years(5, -1), years(5, 1)].map(planned), [false, true, true, false]);
});

test("the first keys after a restoration, created at once, have the same key of proofs", async () => {
  // An export has the tag without the key of proofs.
  await putItem(openTable(), { ...keys.access(organisationId), tag: "Ab3dE" });
  const created = await Promise.all(["One", "Two", "Three"].map((name) => create(undefined, name)));
  for (const { key } of created) assert.ok(await wasCreatedHere(openTable(), key));
});
