import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "node:test";
import { endpoints } from "../../functions/endpoints/index.ts";
import type { Endpoint } from "../../functions/http/endpoint.ts";
import { assertInvalidParameters, assertProblem } from "../support/assertProblem.ts";
import type { Client } from "../support/client.ts";
import { examplePaths, hasId, withId } from "../support/examples.ts";
import { baseUrl, callersOf, one } from "../support/journeyService.ts";
import { send, textOf } from "../support/send.ts";

/** For each parameter that an endpoint declares, values that it must refuse. */
const badValues: Record<string, string[]> = {
  per_page: [
    "",
    "0",
    "201",
    "-1",
    "+5",
    "05",
    "1.5",
    "1e2",
    "0x10",
    "abc",
    "%20",
    "5%20",
    "5%00",
    "%D9%A5",
    "9".repeat(20),
  ],
  changed_since: [
    "",
    "yesterday",
    "2026",
    "1700000000",
    "2026-13-01",
    "2026-01-01%2000:00:00",
    "2026-01-01T00:00:00+01:00",
    "%00",
  ],
  cursor: ["", "x", "null", "%00", "AAAAAAAAAAAAAAAA", "%F0%9F%8E%AB", "a".repeat(513), "a".repeat(4000)],
};

for (const endpoint of endpoints) {
  const { operationId, path: template, query } = endpoint;
  const { one } = callersOf(endpoint);
  const call = (path: string) => one.call(endpoint, path);
  const declared = Object.keys(query?.shape ?? {});

  test(`${operationId} refuses unknown, repeated and out-of-range parameters by name`, async () => {
    const [path] = await examplePaths(endpoint, one);
    for (const unknown of ["colour", "Per_page", "per_page[]", "organisation_id", "__proto__", "constructor", ""]) {
      const name = encodeURIComponent(unknown);
      assertInvalidParameters(await call(`${path}?${name}=1`), unknown);
    }
    for (const name of declared) {
      const bad = badValues[name];
      assert.ok(bad, `badValues says nothing of ${name}.`);
      for (const value of bad) assertInvalidParameters(await call(`${path}?${name}=${value}`), name);
      assertInvalidParameters(await call(`${path}?${name}=1&${name}=1`), name);
    }
    assertInvalidParameters(await call(`${path}?colour=1&size=2&colour=3`), "colour", "size");
    if (!declared.includes("per_page")) assertInvalidParameters(await call(`${path}?per_page=5`), "per_page");
  });

  test(`${operationId} is under no method but the declared ones, and the answer says which those are`, async () => {
    const [path] = await examplePaths(endpoint, one);
    const allowed = endpoints.filter((other) => other.path === template).map(({ method }) => method);
    for (const method of METHODS.filter((name) => name !== "CONNECT" && !allowed.some((other) => other === name))) {
      for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
        const answer = await send(baseUrl + path, { method, headers });
        assert.equal(answer.headers.allow, allowed.sort().join(", "), method);
        if (method === "HEAD") assert.equal(answer.status, 405);
        else assertProblem(answer, "method_not_allowed");
      }
    }
  });

  test(`${operationId} is at its very path alone`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    await assertNothingAt(one, endpoint, `${path}/x`, path.toUpperCase(), path.replace(/^\/\w+/, "/v2"), `${path};x`);
  });
}

test("no endpoint is at its path with a slash too many, or without an id", async () => {
  for (const endpoint of endpoints) {
    const { one } = callersOf(endpoint);
    const [path = ""] = await examplePaths(endpoint, one);
    await assertNothingAt(one, endpoint, `${path}/`, `/${path}`, `${path}%2F`);
    if (hasId(endpoint)) await assertNothingAt(one, endpoint, withId(endpoint, ""));
  }
});

test("an unknown path is not found, key or no key, and is not echoed", async () => {
  for (const path of ["/", "/v1", "/v1/", "/v1/nothing", "/v1/%", "/v1/%00", "/v1/../v1/events", "//", "/?x=1"]) {
    for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
      const { detail } = assertProblem(await send(baseUrl + path, { headers }), "not_found");
      assert.equal(detail, "No such resource.", path);
    }
  }
});

test("a key that was put into the query is not shown", async () => {
  for (const query of [
    `${one.credential}=1`,
    `x[${one.credential}]=`,
    `per_page=${one.credential}`,
    `cursor=${one.credential}`,
  ]) {
    const answer = await one.get(`/v1/events?${query}`);
    assertProblem(answer, "invalid_request");
    assert.ok(!textOf(answer).includes(one.credential.slice(12)), query);
  }
});

async function assertNothingAt(one: Client, endpoint: Endpoint, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const { detail } = assertProblem(await one.call(endpoint, path), "not_found");
    assert.match(detail, /^No such [\w ]+\.$/, path);
  }
}
