import assert from "node:assert/strict";
import { test } from "node:test";
import { mintApiKey } from "../../functions/auth/apiKeySecret.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { examplePaths, hasId, unknownIdFor, withId } from "../support/examples.ts";
import { adminOne, baseUrl, callersOf, one, staff } from "../support/journeyService.ts";
import { comparable, send } from "../support/send.ts";

const missing = "Bearer";
const refused = 'Bearer error="invalid_token"';

/** A request without a valid credential: what it carries, and the challenge that it gets. */
interface Stranger {
  who: string;
  headers?: Record<string, string | string[]>;
  query?: string;
  challenge: string;
}

/** Whoever does not show a credential in the one way in which it counts. */
const clumsy = (credential: string): Stranger[] => [
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
    ...clumsy(one.credential),
    { who: "a mistyped key", headers: bearer(mistyped(one.credential)), challenge: refused },
    { who: "an unknown key", headers: bearer(mintApiKey().key), challenge: refused },
    { who: "an ID token", headers: bearer(adminOne.credential), challenge: missing },
  ],
  superAdmin: [
    ...clumsy(adminOne.credential),
    { who: "an API key", headers: bearer(one.credential), challenge: missing },
    {
      who: "a token with another signature",
      headers: bearer(`${adminOne.credential.slice(0, -20)}${"A".repeat(20)}`),
      challenge: refused,
    },
    { who: "a token of nobody", headers: bearer(`eyJhbGciOiJub25lIn0.${payload}.x`), challenge: refused },
    { who: "nonsense in the form of a token", headers: bearer("a.b.c"), challenge: refused },
  ],
};

for (const endpoint of endpoints) {
  const { operationId, method, caller } = endpoint;

  test(`${operationId} lets nobody in without a valid credential, and answers all of them alike`, async () => {
    const [path = ""] = await examplePaths(endpoint, callersOf(endpoint).one);
    const paths = hasId(endpoint) ? [path, withId(endpoint, unknownIdFor(endpoint))] : [path];
    const bodies = new Set<string>();
    for (const { who, headers = {}, query = "", challenge } of strangers[caller.scheme] ?? assert.fail()) {
      for (const tried of paths) {
        const answer = await send(`${baseUrl}${tried}${query}`, { method, headers });
        assertProblem(answer, "unauthorized");
        assert.equal(answer.headers["www-authenticate"], challenge, who);
        bodies.add(comparable(answer).body);
      }
    }
    assert.equal(bodies.size, 1);
  });

  if (caller.scope !== undefined && caller.scope !== "read") {
    const { scope } = caller;
    test(`${operationId} is forbidden to a key without ${scope}, before anything is looked up`, async () => {
      const answer = await one.call(endpoint, `${withId(endpoint, unknownIdFor(endpoint))}?colour=1`, { body: "{" });
      const problem = assertProblem(answer, "forbidden");
      assert.equal(problem.required_scope, scope);
      assert.ok(problem.detail.includes(scope));
    });
  }

  if (caller.scheme === "superAdmin") {
    test(`${operationId} is forbidden to staff with every other permission, before anything is looked up`, async () => {
      const [path = ""] = await examplePaths(endpoint, adminOne);
      const answers = [
        await staff.call(endpoint, path),
        await staff.call(endpoint, withId(endpoint, unknownIdFor(endpoint))),
        await staff.call(endpoint, `${path}?colour=1`, endpoint.body && { body: "{" }),
      ];
      for (const answer of answers) {
        assertProblem(answer, "forbidden");
        assert.deepEqual(comparable(answer), comparable(answers[0] ?? answer));
      }
    });
  }
}

test("the scheme may be written in any case", async () => {
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

test("a key says who it is and never itself", async () => {
  assert.deepEqual(await one.json("/v1/key"), {
    name: one.keyName,
    prefix: one.credential.slice(0, 12),
    scopes: ["read"],
    organisation_id: one.organisationId,
  });
});
