import assert from "node:assert/strict";
import { beforeAll, describe, test } from "@jest/globals";
import fc from "fast-check";
import { lambda } from "../../functions/api/lambda.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { handler as authorizeApiKey } from "../../functions/keys/apiKeyAuthorizer.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { openTable } from "../../functions/table/table.ts";
import { anyCharacter, eventRecord, someone } from "../support/data/records.ts";
import { putRecords } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { cases } from "../support/jest/cases.ts";
import { assertBounded, costOf, placesOf, proxyEvent } from "./support/requests.ts";

process.env.WEBHOOK_LOCAL_KEY = "fuzz";
/** The duration of the random requests; by default, each property tries a fixed number. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
const effort =
  seconds > 0 ? { numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 500 } : { numRuns: cases(30, 100) };

const size = 100_000;
/** A request made of any fragment may cost at most this many times as much as a plain one of the same size. */
const maximumCostRatio = 8;
/** Each fragment is tried with at most this many of the endpoints that have a place, because they share the code that reads it. */
const endpointsPerFragment = 3;

/** Texts that our own patterns and parsers look for. */
const fragments = [
  ...[
    "eyJ",
    "eyJa.",
    "eyJabcdefghijk.",
    "tsk_",
    "Bearer ",
    "Bearer\t",
    "0123456789abcdef",
    "tsk_0123456789a",
    "a.",
    "-",
  ],
  ...["~", "/", '"', "\\", "\u0000", "\ud800", "é", "𝒳", "0", ",", '"",', "W/", "2026-01-01T", ":", ";", "%2B", " "],
  ...["$" + "{aws:username}", "*", "[", "{", '{"a":', "__proto__", "#0000000000000001"],
];

const handlers = endpoints.map((endpoint) => ({ endpoint, handle: lambda(endpoint) }));

beforeAll(useTableOfOneEvent);

async function useTableOfOneEvent(): Promise<void> {
  await useTestTable();
  await putRecords([eventRecord(1, 1)]);
}

/** Each place, with the endpoints that have it. */
const places = Map.groupBy(
  handlers.flatMap(({ endpoint, handle }) =>
    Object.entries(placesOf(endpoint)).map(([name, place]) => ({ name, place, endpoint, handle })),
  ),
  ({ name }) => name,
);

describe("a request of 100 KB made of one fragment costs at most 8 times as much as a plain one", () => {
  for (const [order, [name, sites]] of [...places].entries()) {
    test(`in ${name}`, async () => {
      const ofPlace = fragments.filter((_, at) => cases(at % 4 === order % 4, true));
      const step = Math.ceil(sites.length / endpointsPerFragment);
      for (const [index, { endpoint, handle, place }] of sites.entries()) {
        const some = ofPlace.filter((_, at) => (at + index) % step === 0);
        const costOfText = (fragment: string, enough?: number) => {
          const event = proxyEvent(endpoint, place(fragment.repeat(Math.ceil(size / fragment.length))));
          return costOf(() => assertBounded(handle, event), enough);
        };
        const plain = await costOfText("a");
        for (const fragment of some) {
          const ratio = (await costOfText(fragment, plain * maximumCostRatio)) / plain;
          assert.ok(
            ratio <= maximumCostRatio,
            `${endpoint.operationId}, ${JSON.stringify(fragment)}: ${ratio.toFixed(1)} times`,
          );
        }
      }
    });
  }
});

describe("a body of unknown members", () => {
  const membersOf = (bytes: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: bytes / 12 }, (_, index) => [`member${index}`, 1])));
  for (const { endpoint, handle } of handlers.filter(({ endpoint }) => endpoint.body)) {
    const costOfBody = (body: string, enough?: number) => {
      const event = proxyEvent(endpoint, { body });
      return costOf(() => assertBounded(handle, event), enough);
    };

    test(`costs ${endpoint.operationId} no more than a text of 5 MB, which is refused unread`, async () => {
      const plain = await costOfBody(JSON.stringify({ note: "a".repeat(5_000_000) }));
      const ratio = (await costOfBody(membersOf(5_600_000), 2 * plain)) / plain;
      assert.ok(ratio <= 2, `${ratio.toFixed(1)} times`);
    });

    test(`costs ${endpoint.operationId} at most 12 times as much as a text, if it is short enough to be read`, async () => {
      const plain = await costOfBody(JSON.stringify({ note: "a".repeat(size) }));
      const ratio = (await costOfBody(membersOf(size), 12 * plain)) / plain;
      assert.ok(ratio <= 12, `${ratio.toFixed(1)} times`);
    });
  }
});

const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.constantFrom(...fragments));
const texts = fc.dictionary(text, text);
const oddMaps = fc.oneof(fc.constant(null), fc.constant(undefined), texts);
const contentTypes = fc.constantFrom("application/json", "APPLICATION/JSON;charset=utf-8", "text/plain", "");

/** Events that a gateway, its console or a load balancer may pass on. */
const oddEvent = fc.record(
  {
    headers: fc.oneof(
      oddMaps,
      fc.tuple(texts, contentTypes).map(([headers, type]) => ({ ...headers, "Content-Type": type })),
    ),
    multiValueHeaders: fc.constantFrom(null, undefined, {}),
    queryStringParameters: oddMaps,
    multiValueQueryStringParameters: fc.oneof(
      oddMaps.filter((map) => !map),
      fc.dictionary(text, fc.array(text)),
    ),
    pathParameters: fc.oneof(oddMaps, fc.record({ id: fc.oneof(text, fc.integer().map(String)) })),
    body: fc.oneof(
      fc.constantFrom(null, undefined, "", "{}"),
      text,
      fc.jsonValue().map((value) => JSON.stringify(value)),
      texts.map((members) => JSON.stringify(members)),
    ),
    isBase64Encoded: fc.boolean(),
    stageVariables: fc.constantFrom(null, undefined),
  },
  { requiredKeys: [] },
);

test("no odd event makes a function fail or return a malformed response", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(handlers.length - 1), oddEvent, async (index, changes) => {
      const { endpoint, handle } = handlers[index] ?? assert.fail();
      await assertBounded(handle, proxyEvent(endpoint, changes));
    }),
    effort,
  );
});

test("a body in base64 is read as the same body in plain text", async () => {
  // The random requests may have created all webhooks but one that an organisation may have.
  await useTableOfOneEvent();
  for (const { endpoint, handle } of handlers.filter(({ endpoint }) => endpoint.body)) {
    const plain = proxyEvent(endpoint);
    const body = Buffer.from(String(plain.body)).toString("base64");
    const encoded = await assertBounded(handle, proxyEvent(endpoint, { body, isBase64Encoded: true }));
    assert.equal(encoded.statusCode, (await assertBounded(handle, plain)).statusCode);
    assert.notEqual(encoded.statusCode, 400, encoded.body);
  }
});

test("an authorizer's policy contains nothing from the path, and no token makes it slow", async () => {
  const { key } = await apiKeyRepository(1, openTable()).create("Fuzz", [], someone);
  const stage = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod";
  const authorize = (token: string, path: string) =>
    authorizeApiKey({ type: "TOKEN", authorizationToken: token, methodArn: `${stage}/GET/v1/events/${path}` });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(`Bearer ${key}`), fc.constant(`Bearer ${mintApiKey().key}`), text),
      fc.oneof(
        text,
        fc.constantFrom(...fragments).map((fragment) => fragment.repeat(2_000)),
      ),
      async (token, path) => {
        const { policyDocument } = await authorize(token, path);
        const [statement] = policyDocument.Statement;
        assert.ok(statement && "Resource" in statement);
        assert.equal(statement.Resource, `${stage}/*`);
        assert.equal(statement.Effect, token === `Bearer ${key}` ? "Allow" : "Deny");
      },
    ),
    effort,
  );
  const plain = await costOf(() => authorize("a".repeat(size), "1"));
  for (const fragment of fragments) {
    const request = () => authorize(fragment.repeat(size / fragment.length), "1");
    const ratio = (await costOf(request, plain * maximumCostRatio)) / plain;
    assert.ok(ratio <= maximumCostRatio, `${JSON.stringify(fragment)}: ${ratio.toFixed(1)} ×`);
  }
});
