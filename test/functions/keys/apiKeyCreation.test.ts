import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, test } from "@jest/globals";
import { activityRepository } from "../../../functions/audit/activityRepository.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { conflict, failing, unanswered, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeAll(() => useTestTable());

let organisationId = 0;
let repository = apiKeyRepository(0, openTable());
beforeEach(() => {
  organisationId += 1;
  repository = apiKeyRepository(organisationId, openTable());
  proxy.calls.length = 0;
});

const listedIds = async () => (await repository.list(PageQuery.parse({}))).data.map(({ id }) => id);
const create = (idempotencyKey?: string, name = "Nightly sync") =>
  repository.create(name, ["write:orders"], someone, idempotencyKey);
const transactions = () => proxy.calls.filter(({ action }) => action === "TransactWriteItems");
const tokensOf = () => transactions().map(({ input }) => JSON.parse(input).ClientRequestToken);

test("a creation repeated concurrently makes one key, whose secret only one request gets", async () => {
  const idempotencyKey = randomUUID();
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => create(idempotencyKey)));
  results.push(...(await Promise.allSettled([create(idempotencyKey)])));
  const ids = await listedIds();
  assert.equal(ids.length, 1);
  assert.deepEqual(
    results.flatMap((result) => (result.status === "fulfilled" ? [result.value.stored.id] : [])),
    ids,
  );
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const { code, members } of refusals) assert.deepEqual([code, members], ["conflict", { key_id: ids[0] }]);
  assert.equal((await activityRepository(organisationId, openTable()).list(PageQuery.parse({}))).data.length, 1);
});

test("an Idempotency-Key refuses another request and belongs to one person", async () => {
  const idempotencyKey = randomUUID();
  await create(idempotencyKey);
  await assert.rejects(create(idempotencyKey, "Other"), { code: "idempotency_mismatch" });
  await assert.rejects(repository.create("Nightly sync", [], someone, idempotencyKey), {
    code: "idempotency_mismatch",
  });
  const other = { ...someone, subject: "other" };
  await repository.create("Nightly sync", ["write:orders"], other, idempotencyKey);
  assert.equal((await listedIds()).length, 2);
});

for (const idempotencyKey of [randomUUID(), undefined]) {
  const which = idempotencyKey === undefined ? "without" : "with";

  test(`a creation ${which} an Idempotency-Key returns its secret if the table's response was lost`, async () => {
    proxy.faultOf = failing("TransactWriteItems", 1, unanswered);
    const { stored } = await create(idempotencyKey);
    assert.deepEqual(await listedIds(), [stored.id]);
    const [first, second, ...others] = tokensOf();
    assert.deepEqual([second, others], [first, []]);
  });

  test(`a creation ${which} an Idempotency-Key returns its secret after a lost success and a conflict`, async () => {
    const faults = [unanswered, conflict];
    proxy.faultOf = ({ action }) => (action === "TransactWriteItems" ? faults.shift() : undefined);
    const { key, stored } = await create(idempotencyKey);
    assert.match(key, /^tsk_/);
    assert.deepEqual(await listedIds(), [stored.id]);
    // The third try had a new token, so the table could not recognise the earlier success.
    assert.deepEqual([tokensOf().length, new Set(tokensOf()).size], [3, 2]);
  });
}

test("a key is not created if its organisation is suspended meanwhile", async () => {
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems"
      ? async (_outgoing, forward) => {
          await putItem(openTable(), { ...itemKeys.access(organisationId), suspended: new Date().toISOString() });
          await forward();
        }
      : undefined;
  await assert.rejects(create(), { code: "conflict" });
});

test("concurrent first keys of an organisation share one tag, which other organisations do not have", async () => {
  const tagsOf = (created: { key: string }[]) => [...new Set(created.map(({ key }) => key.slice(-11, -6)))];
  const tags = tagsOf([...(await Promise.all(Array.from({ length: 5 }, () => create()))), await create()]);
  const other = await apiKeyRepository(1_000, openTable()).create("Other", [], someone);
  assert.equal(tags.length, 1);
  assert.notDeepEqual(tags, tagsOf([other]));
});

test("ids order by time of creation", async () => {
  const first = (await create()).stored;
  while (Date.now() <= Date.parse(first.created));
  assert.ok(first.id < (await create()).stored.id);
});
