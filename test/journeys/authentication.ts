import assert from "node:assert/strict";
import { test } from "node:test";
import { mintApiKey } from "../../functions/auth/apiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { examplePaths, hasId, unknownId, withId } from "../support/examples.ts";
import { baseUrl, one } from "../support/journeyService.ts";
import { comparable, send } from "../support/send.ts";

const { key } = one;
const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
const missing = "Bearer";
const refused = 'Bearer error="invalid_token"';

/** Requests without a valid key: what they carry, and the challenge that they get. */
const strangers: { who: string; headers?: Record<string, string | string[]>; query?: string; challenge: string }[] = [
  { who: "no key", challenge: missing },
  { who: "an empty header", headers: { Authorization: "" }, challenge: missing },
  { who: "a scheme alone", headers: { Authorization: "Bearer" }, challenge: missing },
  { who: "a malformed key", headers: { Authorization: "Bearer tsk_nope" }, challenge: missing },
  { who: "a key without a scheme", headers: { Authorization: key }, challenge: missing },
  { who: "two keys in one header", headers: { Authorization: `Bearer ${key}, Bearer ${key}` }, challenge: missing },
  { who: "more than a key", headers: { Authorization: `Bearer ${key} x` }, challenge: missing },
  { who: "Basic", headers: { Authorization: `Basic ${btoa(`${key}:`)}` }, challenge: missing },
  { who: "Basic with a bare key", headers: { Authorization: `Basic ${key}` }, challenge: missing },
  ...["api_key", "key", "access_token", "Authorization"].map((name) => ({
    who: `a key in the query's ${name}`,
    query: `?${name}=${encodeURIComponent(name === "Authorization" ? `Bearer ${key}` : key)}`,
    challenge: missing,
  })),
  { who: "a key in a cookie", headers: { Cookie: `api_key=${key}; Authorization=Bearer ${key}` }, challenge: missing },
  { who: "a key in another header", headers: { "X-Api-Key": key }, challenge: missing },
  { who: "a mistyped key", headers: { Authorization: `Bearer ${mistyped}` }, challenge: refused },
  { who: "an unknown key", headers: { Authorization: `Bearer ${mintApiKey().key}` }, challenge: refused },
];

for (const endpoint of endpoints) {
  const { operationId, method, caller } = endpoint;

  test(`${operationId} lets nobody in without a valid key, and answers all of them alike`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    const paths = hasId(endpoint) ? [path, withId(endpoint, unknownId)] : [path];
    const bodies = new Set<string>();
    for (const { who, headers = {}, query = "", challenge } of strangers) {
      for (const tried of paths) {
        const answer = await send(`${baseUrl}${tried}${query}`, { method, headers });
        assertProblem(answer, "unauthorized");
        assert.equal(answer.headers["www-authenticate"], challenge, who);
        bodies.add(comparable(answer).body);
      }
    }
    assert.equal(bodies.size, 1);
  });

  if (caller.scope !== "read") {
    test(`${operationId} is forbidden to a key without ${caller.scope}, before anything is looked up`, async () => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await send(baseUrl + withId(endpoint, unknownId), { method, headers });
      const problem = assertProblem(answer, "forbidden");
      assert.equal(problem.required_scope, caller.scope);
      assert.ok(problem.detail.includes(caller.scope));
    });
  }
}

test("the scheme may be written in any case", async () => {
  for (const scheme of ["bearer", "BEARER", "Bearer "]) {
    const { status } = await one.get("/v1/key", { Authorization: `${scheme} ${key}` });
    assert.equal(status, 200, scheme);
  }
});

test("a key says who it is and never itself", async () => {
  assert.deepEqual(await one.json("/v1/key"), {
    name: one.keyName,
    prefix: key.slice(0, 12),
    scopes: ["read"],
    organisation_id: one.organisationId,
  });
});
