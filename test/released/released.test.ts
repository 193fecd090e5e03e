import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, jest, test } from "@jest/globals";
import type { Endpoint } from "../../functions/api/endpoint.ts";
import { ChangesQuery } from "../../functions/changes/change.ts";
import { changeRepository } from "../../functions/changes/changeRepository.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { parseRecord } from "../../functions/feed/parseRecord.ts";
import { findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { hashApiKey } from "../../functions/keys/apiKeySecret.ts";
import { balanceRepository } from "../../functions/records/balanceRepository.ts";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { resources } from "../../functions/resources/index.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import type { Resource } from "../../functions/resources/resource.ts";
import type { Item } from "../../functions/table/item.ts";
import { organisationIdOf } from "../../functions/table/itemKeys.ts";
import { placeAttributes, placeOf } from "../../functions/table/lists.ts";
import { openTable } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { proxyEvent } from "../fuzz/support/requests.ts";
import { useFaultyProxy } from "../support/data/faultyProxy.ts";
import { tableAt } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { invoke, ofQuery } from "../support/http/invoke.ts";

/** The record that `record.ts` made of a release. */
interface Recording {
  recordedAt: string;
  secret: string;
  records: InputRecord[];
  items: Item[];
  requests: {
    operationId: string;
    id: string;
    query: Record<string, string>;
    status: number;
    etag?: string;
    body: unknown;
  }[];
}

const releases = readdirSync(import.meta.dirname).flatMap((file) => /^(\d+\.\d+)\.json$/.exec(file)?.[1] ?? []);

const proxy = await useFaultyProxy();

/** The caller has the first release's scopes, which `getKey` returns. */
const firstScopes = "read write:balance_payments write:orders";

async function respond(endpoint: Endpoint, id: string, query: Record<string, string>) {
  const { requestContext } = proxyEvent(endpoint);
  if (endpoint.caller.scheme === "apiKey") Object(requestContext.authorizer).scopes = firstScopes;
  return invoke(endpoint, { requestContext, pathParameters: { id }, ...ofQuery(query) });
}

/** A response without the members that the release did not have, if they are null, 0, false or empty, as in all stored items of that release. */
function withoutAdditions(now: unknown, then: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(then)) return now.map((one, index) => withoutAdditions(one, then[index]));
  if (typeof now !== "object" || now === null || typeof then !== "object" || then === null) return now;
  const old = then as Record<string, unknown>;
  const isNothing = (value: unknown) =>
    [null, 0, false].includes(value as null) || (Array.isArray(value) && value.length === 0);
  const kept = Object.entries(now).filter(([name, value]) => name in old || !isNothing(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutAdditions(value, old[name])]));
}

describe.each(releases)("what version %s stored", (release) => {
  const recording: Recording = JSON.parse(readFileSync(join(import.meta.dirname, `${release}.json`), "utf8"));
  beforeAll(async () => {
    await useTestTable();
    for (const item of recording.items) await putItem(openTable(), item);
    jest.useFakeTimers({
      now: new Date(recording.recordedAt),
      doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "clearTimeout", "performance"],
    });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  for (const endpoint of endpoints) {
    const isTested = endpoint.method === "GET" && endpoint.operationId !== "listChanges";
    if (isTested) testEndpoint(endpoint, recording);
  }
  testChanges(recording);
  testLists(recording);
  testWrites(recording);
});

function testEndpoint(endpoint: Endpoint, { requests }: Recording): void {
  const recorded = requests.filter(({ operationId }) => operationId === endpoint.operationId);
  test(`is returned by ${endpoint.operationId} with the same bodies, cursors and entity tags`, async () => {
    const before = proxy.calls.length;
    for (const { id, query, status, etag, body } of recorded) {
      const response = await respond(endpoint, id, query);
      assert.equal(response.statusCode, status);
      assert.deepEqual(withoutAdditions(JSON.parse(response.body), body), body);
      if (response.body === JSON.stringify(body)) assert.equal(response.headers?.ETag, etag);
    }
    const newIds = recorded.length === 0 ? ["1", "3"] : [];
    for (const id of newIds) assert.notEqual((await respond(endpoint, id, {})).statusCode, 500);
    for (const { action } of proxy.calls.slice(before))
      assert.ok(
        endpoint.table?.some((one) => one === action),
        action,
      );
  });
}

function testChanges({ recordedAt, requests }: Recording): void {
  test("is among the changes, and half-read changes continue", async () => {
    const table = tableAt(() => Date.parse(recordedAt));
    const recorded = requests.filter(({ operationId }) => operationId === "listChanges");
    assert.ok(recorded.length >= 3);
    for (const { query, body } of recorded) {
      const page = await changeRepository(1, table).list(ChangesQuery.parse(query));
      assert.deepEqual(withoutAdditions(JSON.parse(JSON.stringify(page)), body), body);
    }
  });
}

function testLists({ items }: Recording): void {
  test("is in every list", () => {
    const compared = new Set<string>();
    for (const item of items) {
      const resource = resourceOf(String(item.SK));
      if (!resource || item.deleted === true) continue;
      const place: Item = placeOf(resource, organisationIdOf(String(item.PK)), item);
      for (const name of placeAttributes) assert.equal(place[name], item[name], `${item.PK} ${name}`);
      compared.add(resource.type);
    }
    assert.ok(compared.size >= 9);
  });
}

function testWrites({ recordedAt, secret, records, items }: Recording): void {
  test("is unchanged by the same records, which are still accepted", () => {
    for (const record of records) {
      const parsed = parseRecord(record);
      assert.ok("item" in parsed, `A new field must be \`added\`: ${JSON.stringify(parsed)}`);
      const { PK, SK, content_hash } = parsed.item;
      assert.equal(content_hash, items.find((item) => item.PK === PK && item.SK === SK)?.content_hash, PK);
    }
  });

  test("still authorizes its API key and replays its recorded payment", async () => {
    const table = tableAt(() => Date.parse(recordedAt));
    const found = await findApiKeyHash(table, hashApiKey(secret));
    assert.equal(found?.name, "Nightly sync");
    const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: "once" };
    const replay = await balanceRepository(1, table).record(1, { type: "payment", amount: 5 }, recorder);
    assert.ok(replay.isReplayed && "recorded" in replay.outcome);
  });
}

test("no two lists of a resource use one index", () => {
  for (const { type, lists } of Object.values<Resource>(resources)) {
    const indexes = Object.values(lists).map(({ index }) => index);
    assert.equal(new Set(indexes).size, indexes.length, type);
  }
});
