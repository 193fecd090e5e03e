import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import type { Endpoint } from "../../functions/api/endpoint.ts";
import { changingTypes } from "../../functions/changes/change.ts";
import { visibilityDelayMs } from "../../functions/changes/changeRepository.ts";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listAllApiKeyFailures } from "../../functions/endpoints/listAllApiKeyFailures.ts";
import { listChanges } from "../../functions/endpoints/listChanges.ts";
import { resources } from "../../functions/resources/index.ts";
import { type Resource, resourceTypes } from "../../functions/resources/resource.ts";
import { declaredList, type List, tableLists } from "../../functions/table/lists.ts";
import { encodeCursor } from "../../functions/values/cursor.ts";
import { anyCharacter } from "../support/data/records.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { type Client, PageBody } from "../support/http/client.ts";
import { examplePaths, isList, pathOf, pathOfLongList } from "../support/http/examples.ts";
import { send, textOf, withQuery } from "../support/http/send.ts";
import { cases, shareOf } from "../support/jest/cases.ts";
import { baseUrl, type Caller, callersOf } from "../support/service/journeyService.ts";

/** The list of changes comes last, when what other journeys wrote before has become visible in it. */
const listEndpoints = [...endpoints.filter((one) => isList(one) && one !== listChanges), listChanges];
let startedMs = 0;

/** The partition behind a path. Knowing it is enough to forge a cursor with a correct digest. */
function listBehind(endpoint: Endpoint, id: number, keyId: string): List {
  const { operationId, path, response, query } = endpoint;
  const internal = internalLists[operationId];
  if (internal) return internal(keyId);
  const resource = Object.values<Resource>(resources).find(
    ({ schema }) => String(response.meta()?.id).replace("Expanded", "") === `${schema.meta()?.id}Page`,
  );
  const [, , parent] = path.split("/");
  const [name, list] =
    Object.entries(resource?.lists ?? {}).find(([, one]) => {
      if (path.includes("{id}")) return "under" in one && `${resourceTypes[one.under].name}s` === parent;
      return query?.safeParse({}).success ? "all" in one : "lookUp" in one;
    }) ?? assert.fail(`No declared list is behind ${operationId}.`);
  assert.ok(resource);
  const range = "isRanged" in list ? { range: { from: "0", to: "~" } } : {};
  const sent = new URL(pathOf(endpoint), baseUrl).searchParams;
  return { ...declaredList(resource, name, 1, "lookUp" in list ? sent.get(list.lookUp) : id), ...range };
}

const internalLists: Record<string, (keyId: string) => List> = {
  listChanges: () => tableLists.changes(1, changingTypes.join()),
  listApiKeys: () => tableLists.apiKeys(1),
  listAllApiKeyFailures: () => tableLists.allKeyFailures(1),
  listApiKeyActivity: () => tableLists.activity(1),
  listApiKeyFailures: (keyId) => tableLists.keyFailures(1, keyId),
  listWebhooks: () => tableLists.webhooks(1),
  listWebhookDeliveries: (webhookId) => tableLists.webhookDeliveries(1, webhookId),
};

/** The first cursors of all lists of both organisations. */
const cursors: { path: string; organisationId: number; cursor: string }[] = [];

beforeAll(async () => {
  startedMs = Date.now();
  // The service starts with too few keys for a list of several pages.
  for (const { one, two } of [callersOf(createApiKey)]) {
    for (const caller of [one, one, two]) await caller.call(createApiKey, createApiKey.path);
  }
  for (const endpoint of listEndpoints) {
    const { one, two } = callersOf(endpoint);
    for (const reader of [one, two]) {
      for (const path of await examplePaths(endpoint, reader)) {
        const cursor = (await reader.page(path, { per_page: 1 })).pagination.next_cursor;
        if (cursor === null) continue;
        cursors.push({ path, organisationId: reader.organisationId, cursor });
        break;
      }
    }
  }
});

/** Promises that all lists keep with the same code. */
const promises: Record<string, (endpoint: Endpoint, one: Caller) => Promise<void>> = {
  "refuses a cursor of any other list": async (endpoint, one) => {
    const path = await pathOfLongList(endpoint, one, 2);
    const others = cursors.filter((known) => known.path !== path || known.organisationId !== one.organisationId);
    assert.ok(others.length >= listEndpoints.length);
    await assertRefused(one, path, ...shareOf(others, endpoint, listEndpoints).map(({ cursor }) => cursor));
  },
  "refuses a damaged cursor": async (endpoint, one) => {
    const path = await pathOfLongList(endpoint, one, 2);
    const cursor = (await one.page(path, { per_page: 1 })).pagination.next_cursor ?? "";
    const bytes = Buffer.from(cursor, "base64url");
    const damaged = [
      ...[`${cursor}=`, `${cursor}A`, `=${cursor}`, ` ${cursor}`, `${cursor} `, `${cursor}\n`],
      ...[`${cursor},${cursor}`, cursor + cursor, bytes.toString("hex"), cursor.toLowerCase()],
    ];
    await assertRefused(one, path, ...shareOf(damaged, endpoint, listEndpoints));
    const place = fc.nat({ max: bytes.length * 8 - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: cursor.length - 1 }), async (bit, length) => {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        await assertRefused(one, path, flipped.toString("base64url"), cursor.slice(0, length));
      }),
      { numRuns: cases(2, 20) },
    );
  },
  "shows only its own rows for a forged cursor with a correct digest": async (endpoint, one) => {
    const path = await pathOfLongList(endpoint, one, 2);
    const own = (await one.rows(path)).map((row) => JSON.stringify(row));
    const id = path.split("/")[3] ?? "";
    const list = listBehind(endpoint, Number(id), id);
    const start = fc.oneof(
      fc.constantFrom(
        "",
        "\u0000",
        "~",
        "zzzzzzzzz000000000000",
        "000000000000000000000",
        "9999-12-31T23:59:59.999Z",
        "ORG#2#EVENTS",
        "ORG#1#EVENTS#",
        "🎫",
        "\uffff",
      ),
      fc.string({ maxLength: 90, unit: anyCharacter }),
    );
    const end = fc.oneof(fc.constantFrom("#0000000000000000", "#9999999999999999", ""), fc.string({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(start, end, async (head, tail) => {
        const answer = await one.get(withQuery(path, `per_page=9&cursor=${encodeCursor(list, head + tail)}`));
        if (answer.status !== 200) assertProblem(answer, "invalid_request");
        else
          for (const row of PageBody.parse(JSON.parse(textOf(answer))).data)
            assert.ok(own.includes(JSON.stringify(row)));
      }),
      { numRuns: cases(4, 30) },
    );
  },
  "links to its next page, and the link returns that page": async (endpoint, one) => {
    const path = await pathOfLongList(endpoint, one, 2);
    const first = await one.get(withQuery(path, "per_page=1"));
    const { pagination } = JSON.parse(textOf(first));
    const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    assert.equal(next, `${baseUrl}${withQuery(path, `per_page=1&cursor=${pagination.next_cursor}`)}`);
    const linked = await send(next, { headers: { Authorization: `Bearer ${one.credential}` } });
    const { data } = await one.page(path, { per_page: 2 });
    assert.deepEqual(JSON.parse(textOf(linked)).data, [data[1]]);
  },
};

for (const endpoint of listEndpoints) {
  const { operationId } = endpoint;
  const { one } = callersOf(endpoint);

  test(`${operationId} shows every row once and in the same order, with any page sizes`, async () => {
    const path = await pathOfLongList(endpoint, one, 2);
    if (endpoint === listChanges) await wait(Math.max(0, startedMs + visibilityDelayMs + 1_000 - Date.now()));
    // The requests of other tests fail meanwhile, and are counted some seconds later.
    const settled = new Date(Date.now() - 5_000).toISOString();
    const rows = async (perPages?: number[]) =>
      (await one.rows(path, perPages)).filter(
        ({ time }) => endpoint !== listAllApiKeyFailures || String(time) < settled,
      );
    const expected = await rows();
    assert.equal(
      new Set(expected.map(({ type, id, request_id }) => `${type} ${id ?? request_id}`)).size,
      expected.length,
    );
    // Limits the pages of a long list.
    const smallest = Math.ceil(expected.length / cases(6, 50));
    const sizes = fc.array(
      fc.oneof(fc.integer({ min: smallest, max: smallest + 8 }), fc.integer({ min: 1, max: 200 })),
      {
        minLength: 1,
      },
    );
    await fc.assert(
      fc.asyncProperty(sizes, async (perPages) => assert.deepEqual(await rows(perPages), expected)),
      {
        numRuns: cases(3, 10),
        examples: [[[smallest]], [[Math.min(200, expected.length)]], [[Math.min(200, expected.length - 1)]]],
      },
    );
  });

  for (const promise of shareOf(Object.keys(promises), endpoint, listEndpoints)) {
    test(`${operationId} ${promise}`, () => promises[promise]?.(endpoint, one));
  }
}

async function assertRefused(one: Client, path: string, ...refused: string[]): Promise<void> {
  for (const cursor of refused) {
    assertInvalidParameters(await one.get(withQuery(path, `cursor=${encodeURIComponent(cursor)}`)), "cursor");
  }
}
