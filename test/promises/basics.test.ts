import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listAllApiKeyFailures } from "../../functions/endpoints/listAllApiKeyFailures.ts";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { routes } from "../../functions/mcp/routes.ts";
import { maximumPerPage } from "../../functions/resources/page.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths, isList, pathOfLongList, unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable, send, textOf, withQuery } from "../support/http/send.ts";
import { cases } from "../support/jest/cases.ts";
import {
  adminOne,
  baseUrl,
  callersOf,
  changesShown,
  one,
  prepared,
  staff,
  writerOne,
} from "../support/service/testedService.ts";

const missing = 'Bearer realm="ticketing"';
const refused = 'Bearer realm="ticketing", error="invalid_token"';
const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const [, payload = ""] = adminOne.credential.split(".");

/** Credentials of each scheme that are well formed but not valid. */
const invalid = {
  apiKey: [one.credential.slice(0, -1) + (one.credential.endsWith("a") ? "b" : "a"), mintApiKey().key],
  superAdmin: [`${adminOne.credential.slice(0, -20)}${"A".repeat(20)}`, `eyJhbGciOiJub25lIn0.${payload}.x`, "a.b.c"],
};

for (const endpoint of routes) {
  const { operationId, method, caller } = endpoint;

  test(`${operationId} returns the same 401 for a missing, malformed or unknown credential`, async () => {
    const [path = ""] = await examplePaths(endpoint, callersOf(endpoint).one);
    const bodies = new Set<string>();
    for (const target of [path, withId(endpoint, unknownIdFor(endpoint))]) {
      for (const [headers, challenge] of [
        [{}, missing],
        [bearer("tsk_nope"), missing],
        ...invalid[caller.scheme].map((credential) => [bearer(credential), refused] as const),
      ] as const) {
        const answer = await send(baseUrl + target, { method, headers });
        assertProblem(answer, "unauthorized");
        assert.equal(answer.headers["www-authenticate"], challenge, JSON.stringify(headers));
        bodies.add(comparable(answer).body);
      }
    }
    assert.equal(bodies.size, 1);
    if (method === "GET") assert.equal((await send(baseUrl + path, { method: "HEAD" })).status, 401);
  });

  const { scope } = caller;
  if (scope !== undefined && scope !== "read") {
    test(`${operationId} returns 403 without ${scope}, before anything is looked up`, async () => {
      const answer = await one.call(endpoint, `${withId(endpoint, unknownIdFor(endpoint))}?colour=1`, { body: "{" });
      const problem = assertProblem(answer, "forbidden");
      assert.equal(problem.required_scope, scope);
      assert.ok(problem.detail.includes(scope));
    });
  }

  if (caller.scheme === "superAdmin") {
    test(`${operationId} returns 403 for staff, before anything is looked up`, async () => {
      const [path = ""] = await examplePaths(endpoint, callersOf(endpoint).one);
      const [answer, ...others] = [
        await staff.call(endpoint, path),
        await staff.call(endpoint, withId(endpoint, unknownIdFor(endpoint))),
        await staff.call(endpoint, withQuery(path, "colour=1"), endpoint.body && { body: "{" }),
      ];
      assertProblem(answer, "forbidden");
      for (const other of others) assert.deepEqual(comparable(other), comparable(answer));
    });
  }
}

for (const [title, scheme, caller] of [
  ["/admin never accepts API keys", "superAdmin", writerOne],
  ["/v1 never accepts ID tokens", "apiKey", adminOne],
] as const) {
  test(title, async () => {
    for (const endpoint of routes.filter((each) => each.caller.scheme === scheme))
      assertProblem(await caller.call(endpoint, withId(endpoint, unknownIdFor(endpoint))), "unauthorized");
  });
}

const own = [
  [one, "/v1/key"],
  [adminOne, "/admin/api-keys"],
] as const;

test("a credential is accepted in the Authorization header and nowhere else", async () => {
  for (const [{ credential }, path] of own) {
    const good = `Bearer ${credential}`;
    const basic = [credential, btoa(`${credential}:`)].map((text) => `Basic ${text}`);
    const malformed = ["", "Bearer", credential, `${good}, ${good}`, `${good} x`, ...basic];
    const elsewhere = { Cookie: `api_key=${credential}; Authorization=${good}`, "X-Api-Key": credential };
    const names = ["api_key", "key", "access_token", "id_token"];
    for (const [query, headers] of [
      ...malformed.map((Authorization) => ["", { Authorization }] as const),
      ["", elsewhere],
      ...names.map((name) => [`${name}=${credential}`, {}] as const),
      [`Authorization=Bearer%20${credential}`, {}],
    ] as const) {
      const answer = await send(`${baseUrl}${path}?${query}`, { headers });
      assertProblem(answer, "unauthorized");
      assert.equal(answer.headers["www-authenticate"], missing, query);
    }
  }
});

test("the Bearer scheme is case-insensitive", async () => {
  for (const scheme of ["bearer", "BEARER", "Bearer "])
    for (const [caller, path] of own)
      assert.equal((await caller.get(path, { Authorization: `${scheme} ${caller.credential}` })).status, 200, scheme);
});

test("a second Authorization line gets 400, even if it is equal", async () => {
  for (const [caller, path] of own)
    for (const other of [caller, caller === one ? writerOne : staff]) {
      const Authorization = [caller, other].map(({ credential }) => `Bearer ${credential}`);
      assertInvalidParameters(await caller.get(path, { Authorization }), "authorization");
    }
});

const lists = endpoints.filter(isList);
beforeAll(changesShown);

for (const [index, endpoint] of lists.entries()) {
  const { operationId } = endpoint;
  const { one, two } = callersOf(endpoint);

  test(`${operationId} returns every row once, with any page sizes`, async () => {
    const path = await pathOfLongList(endpoint, one, 2);
    // At a running stage, other tests' requests fail meanwhile.
    const rows = async (perPages?: number[]) =>
      (await one.rows(path, perPages)).filter(
        ({ time }) => endpoint !== listAllApiKeyFailures || String(time) < prepared,
      );
    const expected = await rows();
    const ids = expected.map(({ type, id, request_id }) => `${type} ${id ?? request_id}`);
    assert.equal(new Set(ids).size, expected.length);
    // Limits the pages of a long list.
    const smallest = Math.ceil(expected.length / cases(6, 50));
    const size = fc.oneof(
      fc.integer({ min: smallest, max: smallest + 8 }),
      fc.integer({ min: 1, max: maximumPerPage }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(size, { minLength: 1 }), async (perPages) =>
        assert.deepEqual(await rows(perPages), expected),
      ),
      {
        numRuns: cases(3, 10),
        examples: [[[smallest]], [[maximumPerPage]], [[Math.min(maximumPerPage, expected.length - 1)]]],
      },
    );
  });

  test(`${operationId} refuses a damaged cursor, and one of another list or organisation`, async () => {
    const path = await pathOfLongList(endpoint, one, 2);
    const nextList = lists[index + 1] ?? lists[0] ?? endpoint;
    const cursor = async (of: typeof endpoint, reader: typeof one) =>
      String((await reader.page(await pathOfLongList(of, reader, 2), { per_page: 1 })).pagination.next_cursor);
    const own = await cursor(endpoint, one);
    const others = [await cursor(endpoint, two), await cursor(nextList, callersOf(nextList).one)];
    for (const refused of [
      ...others,
      own.slice(1),
      own.slice(0, -1),
      `${own}=`,
      ` ${own}`,
      "",
      "%00",
      "a".repeat(4_000),
    ])
      assertInvalidParameters(await one.get(withQuery(path, `cursor=${encodeURIComponent(refused)}`)), "cursor");
  });

  test(`${operationId} refuses what tools send for a missing cursor, and says what to do`, async () => {
    const path = await pathOfLongList(endpoint, one, 2);
    const words = ["", " ", "undefined", "null", "None", "nil", "NaN", "0", '""', "[object Object]", "{{cursor}}"];
    for (const text of words) {
      const answer = await one.get(withQuery(path, `cursor=${encodeURIComponent(text)}`));
      assertInvalidParameters(answer, "cursor");
      const { detail } = assertProblem(answer);
      assert.equal(detail, "Leave cursor out for the first page, and stop when pagination.has_more is false.");
    }
  });

  test(`${operationId} links to its next page`, async () => {
    const path = await pathOfLongList(endpoint, one, 2);
    const first = await one.get(withQuery(path, "per_page=1"));
    const { pagination } = JSON.parse(textOf(first));
    const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    assert.equal(next, `${baseUrl}${withQuery(path, `per_page=1&cursor=${pagination.next_cursor}`)}`);
    const linked = await send(next, { headers: bearer(one.credential) });
    assert.deepEqual(JSON.parse(textOf(linked)).data, (await one.page(path, { per_page: 2 })).data.slice(1));
  });
}
