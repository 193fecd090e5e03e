import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { routes as endpoints } from "../../functions/mcp/routes.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths, hasId, unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable, send, withQuery } from "../support/http/send.ts";
import { shareOf } from "../support/jest/cases.ts";
import { adminOne, baseUrl, callersOf, one, staff, writerOne } from "../support/service/journeyService.ts";

const missing = "Bearer";
const refused = 'Bearer error="invalid_token"';

/** A request without a valid credential: its contents, and the challenge in its response. */
interface Stranger {
  who: string;
  headers?: Record<string, string | string[]>;
  query?: string;
  challenge: string;
}

/** Requests that send a valid credential in an unsupported way, or none. */
const unsupported = (credential: string): Stranger[] => [
  { who: "nothing", challenge: missing },
  { who: "an empty header", headers: { Authorization: "" }, challenge: missing },
  { who: "a scheme alone", headers: { Authorization: "Bearer" }, challenge: missing },
  { who: "a malformed credential", headers: { Authorization: "Bearer tsk_nope" }, challenge: missing },
  { who: "no scheme", headers: { Authorization: credential }, challenge: missing },
  {
    who: "two in one header",
    headers: { Authorization: `Bearer ${credential}, Bearer ${credential}` },
    challenge: missing,
  },
  { who: "more than one word", headers: { Authorization: `Bearer ${credential} x` }, challenge: missing },
  { who: "Basic", headers: { Authorization: `Basic ${btoa(`${credential}:`)}` }, challenge: missing },
  { who: "Basic, bare", headers: { Authorization: `Basic ${credential}` }, challenge: missing },
  ...["api_key", "key", "access_token", "id_token", "Authorization"].map((name) => ({
    who: `the query's ${name}`,
    query: `?${name}=${encodeURIComponent(name === "Authorization" ? `Bearer ${credential}` : credential)}`,
    challenge: missing,
  })),
  {
    who: "a cookie",
    headers: { Cookie: `api_key=${credential}; Authorization=Bearer ${credential}` },
    challenge: missing,
  },
  { who: "another header", headers: { "X-Api-Key": credential }, challenge: missing },
];

const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const mistyped = (credential: string) => credential.slice(0, -1) + (credential.endsWith("a") ? "b" : "a");
const [, payload = ""] = adminOne.credential.split(".");

const strangers: Record<string, Stranger[]> = {
  apiKey: [
    ...unsupported(one.credential),
    { who: "a mistyped key", headers: bearer(mistyped(one.credential)), challenge: refused },
    { who: "an unknown key", headers: bearer(mintApiKey().key), challenge: refused },
    { who: "an ID token", headers: bearer(adminOne.credential), challenge: missing },
  ],
  superAdmin: [
    ...unsupported(adminOne.credential),
    { who: "an API key", headers: bearer(one.credential), challenge: missing },
    {
      who: "a token with another signature",
      headers: bearer(`${adminOne.credential.slice(0, -20)}${"A".repeat(20)}`),
      challenge: refused,
    },
    { who: "an unsigned token", headers: bearer(`eyJhbGciOiJub25lIn0.${payload}.x`), challenge: refused },
    { who: "nonsense in the form of a token", headers: bearer("a.b.c"), challenge: refused },
  ],
};

for (const endpoint of endpoints) {
  const { operationId, method, caller } = endpoint;
  const ofScheme = endpoints.filter((other) => other.caller.scheme === caller.scheme);

  test(`${operationId} returns the same 401 for every request without a valid credential`, async () => {
    const [path = ""] = await examplePaths(endpoint, callersOf(endpoint).one);
    const paths = hasId(endpoint) ? [path, withId(endpoint, unknownIdFor(endpoint))] : [path];
    const bodies = new Set<string>();
    const tried = shareOf(strangers[caller.scheme] ?? assert.fail(), endpoint, ofScheme);
    for (const { who, headers = {}, query = "", challenge } of tried) {
      for (const path of paths) {
        const answer = await send(`${baseUrl}${path}${query}`, { method, headers });
        assertProblem(answer, "unauthorized");
        assert.equal(answer.headers["www-authenticate"], challenge, who);
        bodies.add(comparable(answer).body);
      }
    }
    assert.equal(bodies.size, 1);
  });

  if (caller.scope !== undefined && caller.scope !== "read") {
    const { scope } = caller;
    test(`${operationId} returns 403 for a key without ${scope}, before it reads the rest of the request`, async () => {
      const answer = await one.call(endpoint, `${withId(endpoint, unknownIdFor(endpoint))}?colour=1`, { body: "{" });
      const problem = assertProblem(answer, "forbidden");
      assert.equal(problem.required_scope, scope);
      assert.ok(problem.detail.includes(scope));
    });
  }

  if (caller.scheme === "superAdmin") {
    test(`${operationId} returns 403 for staff, before it reads the rest of the request`, async () => {
      const [path = ""] = await examplePaths(endpoint, adminOne);
      const answers = [
        await staff.call(endpoint, path),
        await staff.call(endpoint, withId(endpoint, unknownIdFor(endpoint))),
        await staff.call(endpoint, withQuery(path, "colour=1"), endpoint.body && { body: "{" }),
      ];
      for (const answer of answers) {
        assertProblem(answer, "forbidden");
        assert.deepEqual(comparable(answer), comparable(answers[0] ?? answer));
      }
    });
  }
}

test("two Authorization headers are refused by name, also if both are valid or equal", async () => {
  for (const [first, second, path] of [
    [one, one, "/v1/key"],
    [one, writerOne, "/v1/key"],
    [adminOne, adminOne, "/admin/api-keys"],
    [adminOne, staff, "/admin/api-keys"],
  ] as const) {
    const Authorization = [first, second].map(({ credential }) => `Bearer ${credential}`);
    assertInvalidParameters(await first.get(path, { Authorization }), "authorization");
  }
});

test("the Bearer scheme is accepted in any case", async () => {
  for (const scheme of ["bearer", "BEARER", "Bearer "]) {
    for (const [caller, path] of [
      [one, "/v1/key"],
      [adminOne, "/admin/api-keys"],
    ] as const) {
      const { status } = await caller.get(path, { Authorization: `${scheme} ${caller.credential}` });
      assert.equal(status, 200, scheme);
    }
  }
});
