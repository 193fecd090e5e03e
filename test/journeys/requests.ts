import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "@jest/globals";
import { type Endpoint, methodsOf } from "../../functions/api/endpoint.ts";
import { routes as endpoints } from "../../functions/mcp/routes.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import type { Client } from "../support/http/client.ts";
import { examplePaths, hasId, withId } from "../support/http/examples.ts";
import { send, textOf, withQuery } from "../support/http/send.ts";
import { shareOf } from "../support/jest/cases.ts";
import { baseUrl, callersOf, one } from "../support/service/journeyService.ts";

const badInstants = [
  "",
  "yesterday",
  "2026",
  "1700000000",
  "2026-13-01",
  "2026-01-01%2000:00:00",
  "2026-01-01T00:00:00+01:00",
  "%00",
];
const badTexts = ["", "%20%0A", "x".repeat(2_049), "%C3%A9".repeat(1_025), "a%00", "%FF", "j%FCrgen", "%EF%BF%BD"];

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
  changed_since: [...badInstants, "2999-01-01"],
  from: badInstants,
  to: badInstants,
  reference: badTexts,
  barcode: badTexts,
  email: badTexts,
  days: ["0", "91", "100", "", "x", "1.5", "-1", "%2B1", "07", "1e1", "30%20"],
  expand: ["", "orders", "order,order", "order,", ",order", "Order", "order%20", "order.event", "%00"],
  types: ["", "orders", "order,order", "order,", ",order", "Order", "order%20", "%00"],
  cursor: ["", "x", "null", "%00", "AAAAAAAAAAAAAAAA", "%F0%9F%8E%AB", "a".repeat(513), "a".repeat(4000)],
};

const unknownNames = ["colour", "Per_page", "per_page[]", "organisation_id", "__proto__", "constructor", ""];

for (const endpoint of endpoints) {
  const { operationId, query } = endpoint;
  const { one } = callersOf(endpoint);
  const call = (path: string) => one.call(endpoint, path);
  const declared = Object.keys(query?.shape ?? {});

  test(`${operationId} refuses unknown, repeated and out-of-range parameters by name`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    for (const unknown of shareOf(unknownNames, endpoint, endpoints)) {
      const name = encodeURIComponent(unknown);
      assertInvalidParameters(await call(withQuery(path, `${name}=1`)), unknown);
    }
    for (const name of declared) {
      const bad = badValues[name];
      assert.ok(bad, `badValues lacks ${name}.`);
      const declaring = endpoints.filter((other) => name in (other.query?.shape ?? {}));
      const others = path.includes(`${name}=`) ? endpoint.path : path;
      for (const value of shareOf(bad, endpoint, declaring))
        assertInvalidParameters(await call(withQuery(others, `${name}=${value}`)), name);
      assertInvalidParameters(await call(withQuery(others, `${name}=1&${name}=1`)), name);
    }
    assertInvalidParameters(await call(withQuery(path, "colour=1&size=2&colour=3")), "colour", "size");
    if (!declared.includes("per_page")) assertInvalidParameters(await call(withQuery(path, "per_page=5")), "per_page");
  });

  test(`${operationId} is only at its exact path`, async () => {
    const [target = ""] = await examplePaths(endpoint, one);
    const [path = ""] = target.split("?");
    const below = `${path}/x`;
    if (!endpoints.some((other) => new RegExp(`^${other.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(below)))
      await assertNothingAt(one, endpoint, below);
    await assertNothingAt(one, endpoint, path.toUpperCase(), path.replace(/^\/\w+/, "/v2"), `${path};x`);
  });
}

/** The methods that API Gateway routes; it rejects all others before it looks at the path. */
const routedMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

const ofEachPath = [...new Map(endpoints.map((each) => [each.path, each])).values()];

for (const endpoint of ofEachPath) {
  test(`${endpoint.path} returns 405 for other methods and lists its own in Allow`, async () => {
    await assertOtherMethodsRejected(endpoint, shareOf(routedMethods, endpoint, ofEachPath));
  });
}

test("methods that nobody uses return 405", async () => {
  for (const endpoint of endpoints.slice(0, 2)) {
    await assertOtherMethodsRejected(
      endpoint,
      METHODS.filter((method) => method !== "CONNECT"),
    );
  }
});

test("a path with an extra slash or without its id is not found", async () => {
  for (const endpoint of endpoints) {
    const { one } = callersOf(endpoint);
    const [target = ""] = await examplePaths(endpoint, one);
    const [path = ""] = target.split("?");
    await assertNothingAt(one, endpoint, `${path}/`, `/${path}`, `${path}%2F`);
    if (hasId(endpoint)) await assertNothingAt(one, endpoint, withId(endpoint, ""));
  }
});

test("an unknown path is not found, with or without a key, and is not echoed", async () => {
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/%", "/v1/%00", "/v1/../v1/events", "//"]) {
    for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
      const { detail } = assertProblem(await send(baseUrl + path, { headers }), "not_found");
      assert.match(detail, /^No such path\. /, path);
    }
  }
});

test("a response never repeats a key from the query", async () => {
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

async function assertOtherMethodsRejected(endpoint: Endpoint, methods: string[]): Promise<void> {
  const { one } = callersOf(endpoint);
  const [path] = await examplePaths(endpoint, one);
  const allowed = endpoints.filter((other) => other.path === endpoint.path).flatMap(methodsOf);
  for (const method of methods.filter((name) => !allowed.includes(name))) {
    for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
      const answer = await send(baseUrl + path, { method, headers });
      assert.equal(answer.headers.allow, allowed.sort().join(", "), method);
      if (method === "HEAD") assert.equal(answer.status, 405);
      else assertProblem(answer, "method_not_allowed");
    }
  }
}

async function assertNothingAt(one: Client, endpoint: Endpoint, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const { detail } = assertProblem(await one.call(endpoint, path), "not_found");
    assert.match(detail, /^No such [\w ]+\./, path);
  }
}
