import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import fc from "fast-check";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { events } from "../../functions/resources/event.ts";
import { declaredList, instantSortKey } from "../../functions/table/lists.ts";
import { encodeCursor } from "../../functions/values/cursor.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { PageBody } from "../support/http/client.ts";
import { allIdsFor, hasId, idsFor, noIdTexts, sampleOf, unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable, textOf } from "../support/http/send.ts";
import { cases } from "../support/jest/cases.ts";
import { adminOne, adminTwo, callersOf, createKey, localService, one } from "../support/service/testedService.ts";

for (const endpoint of endpoints.filter(hasId)) {
  const { operationId } = endpoint;
  const { one, two } = callersOf(endpoint);
  const at = async (reader: typeof one, id: string | number) =>
    comparable(await reader.call(endpoint, withId(endpoint, id)));

  test(`${operationId} gets the same 404 for another organisation's resource and an unknown one`, async () => {
    for (const [reader, owner] of [
      [one, two],
      [two, one],
    ] as const) {
      const own = new Set(await allIdsFor(endpoint, reader));
      const foreign = sampleOf((await allIdsFor(endpoint, owner)).filter((id) => !own.has(id)));
      assert.ok(foreign.length > 0);
      const unknown = await reader.call(endpoint, withId(endpoint, unknownIdFor(endpoint)));
      assertProblem(unknown, "not_found");
      for (const id of foreign) assert.deepEqual(await at(reader, id), comparable(unknown));
    }
  });

  test(`${operationId} returns the same 404 for a malformed id and an unknown one`, async () => {
    const [id = 0] = await idsFor(endpoint, one);
    const unknown = await at(one, unknownIdFor(endpoint));
    for (const text of ["abc", `0${id}`, `+${id}`, `${id}.0`, `${id}%20`, `${id}%00`])
      assert.deepEqual(await at(one, text), unknown, text);
  });
}

test("an id is a canonical positive integer, and anything else gets 404", async () => {
  const [id = 0] = await idsFor({ path: "/v1/events/{id}" }, one);
  // The emulator of AWS's gateway does not match a policy's wildcard with a line break.
  const malformed = [...noIdTexts.filter(Boolean), `${id};a`, `${id},${id}`].filter(
    (text) => localService || !/\n/.test(text),
  );
  for (const text of malformed) assertProblem(await one.get(`/v1/events/${encodeURIComponent(text)}`), "not_found");
});

test("an encoded digit of an id is either decoded or makes the id unknown", async () => {
  const [id = 0] = await idsFor({ path: "/v1/events/{id}" }, one);
  const at = async (text: string | number) => comparable(await one.get(`/v1/events/${text}`));
  const answer = await at(`%3${String(id).charAt(0)}${String(id).slice(1)}`);
  assert.ok(isDeepStrictEqual(answer, await at(id)) || isDeepStrictEqual(answer, await at(Number.MAX_SAFE_INTEGER)));
});

test("a forged cursor with a correct digest shows only the organisation's own rows", async () => {
  const own = (await one.rows("/v1/events")).map((row) => JSON.stringify(row));
  const list = declaredList(events, "all", 1);
  const position = fc.oneof(
    fc
      .tuple(fc.constantFrom(null, "0001-01-01", "2026-06-01", "9999-12-30"), fc.maxSafeNat())
      .map((key) => instantSortKey(...key)),
    fc.constantFrom("", "~", "ORG#2#EVENTS", "ORG#1#EVENTS#", "9999-12-31T23:59:59.999Z#9999999999999999", "🎫"),
  );
  await fc.assert(
    fc.asyncProperty(position, async (text) => {
      const answer = await one.get(`/v1/events?per_page=9&cursor=${encodeCursor(list, text)}`);
      if (answer.status !== 200) assertProblem(answer, "invalid_request");
      else
        for (const row of PageBody.parse(JSON.parse(textOf(answer))).data) assert.ok(own.includes(JSON.stringify(row)));
    }),
    { numRuns: cases(40, 400) },
  );
});

test("a super-admin sees neither the keys nor the activity of another organisation", async () => {
  const { id } = await createKey(adminOne);
  for (const path of [listApiKeys.path, listApiKeyActivity.path]) {
    assert.ok(JSON.stringify(await adminOne.rows(path)).includes(id));
    assert.ok(!JSON.stringify(await adminTwo.rows(path)).includes(id));
  }
});
