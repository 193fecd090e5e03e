import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import { endpoints } from "../../functions/endpoints/index.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { allIdsFor, hasId, idsFor, sampleOf, unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable } from "../support/http/send.ts";
import { shareOf } from "../support/jest/cases.ts";
import { callersOf, localService } from "../support/service/journeyService.ts";

/** Malformed ids, made from an existing id. */
function nonCanonical(id: number | string): string[] {
  const arabicIndicDigits = String(id).replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
  return [
    ...["abc", "007", "1.0", "-1", "0", "+1", "1e3", "0x1", "9007199254740993", "9".repeat(16), "1".repeat(20), "%00"],
    ...[`0${id}`, `+${id}`, `-${id}`, `${id}.0`, `${id}%20`, `%20${id}`, `${id}%00`, `${id},${id}`, `${id};a`],
    ...[encodeURIComponent(arabicIndicDigits), "%F0%9F%8E%AB", "{id}"],
    // AWS's gateway may decode the digit before a function sees it. The emulator's does not match a policy's wildcard with a line break.
    ...(localService ? [withEncodedDigit(id), `${id}%0A`] : []),
  ];
}

function withEncodedDigit(id: number | string): string {
  return `%3${String(id).charAt(0)}${String(id).slice(1)}`;
}

const withIds = endpoints.filter(hasId);

for (const endpoint of withIds) {
  const { operationId } = endpoint;
  const { one, two } = callersOf(endpoint);
  const unknownId = unknownIdFor(endpoint);

  for (const [reader, owner] of [
    [one, two],
    [two, one],
  ] as const) {
    test(`${operationId} returns organisation ${reader.organisationId} the same 404 for an id of organisation ${owner.organisationId} as for an unknown one`, async () => {
      const own = new Set(await allIdsFor(endpoint, reader));
      const foreign = sampleOf((await allIdsFor(endpoint, owner)).filter((id) => !own.has(id)));
      assert.ok(foreign.length > 0);
      const unknown = await reader.call(endpoint, withId(endpoint, unknownId));
      assertProblem(unknown, "not_found");
      for (const id of foreign) {
        assert.deepEqual(comparable(await reader.call(endpoint, withId(endpoint, id))), comparable(unknown));
      }
    });
  }

  test(`${operationId} returns the same 404 for a malformed id as for an unknown one`, async () => {
    const [id = 0] = await idsFor(endpoint, one);
    const unknown = comparable(await one.call(endpoint, withId(endpoint, unknownId)));
    for (const text of shareOf(nonCanonical(id), endpoint, withIds)) {
      assert.deepEqual(comparable(await one.call(endpoint, withId(endpoint, text))), unknown, text);
    }
  });

  // Responses of writes differ each time.
  if (endpoint.method !== "GET") continue;

  test(`${operationId} either decodes an encoded digit of an id or treats the id as unknown`, async () => {
    const [id = 0] = await idsFor(endpoint, one);
    const expected = [id, unknownId].map((each) => one.call(endpoint, withId(endpoint, each)));
    const answer = comparable(await one.call(endpoint, withId(endpoint, withEncodedDigit(id))));
    const isOne = (await Promise.all(expected)).some((one) => isDeepStrictEqual(comparable(one), answer));
    assert.ok(isOne, answer.body);
  });
}
