import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { test } from "@jest/globals";
import { CallingKey } from "../../functions/endpoints/getKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { assertSecurityHeaders } from "../support/http/assertProblem.ts";
import { examplePaths } from "../support/http/examples.ts";
import { ownHeaders, send, textOf } from "../support/http/send.ts";
import { shareOf } from "../support/jest/cases.ts";
import { baseUrl, callersOf, localService, one } from "../support/service/journeyService.ts";

const reading = endpoints.filter(({ method }) => method === "GET");

/** The header that announces the limits of the calling key. A stage may have others, or none. */
let limits: Promise<string | undefined> | undefined;
const announcedLimits = () => (limits ??= readLimits());

async function readLimits(): Promise<string | undefined> {
  const { rate_limit } = CallingKey.parse(await one.json("/v1/key"));
  if (localService) assert.deepEqual(rate_limit, { requests: 3_000, organisation_requests: 15_000, seconds: 60 });
  if (rate_limit === null) return undefined;
  const { requests, organisation_requests, seconds } = rate_limit;
  return `"key";q=${requests};w=${seconds}, "organisation";q=${organisation_requests};w=${seconds}`;
}

for (const endpoint of reading) {
  const { operationId, response } = endpoint;
  const { one } = callersOf(endpoint);

  test(`${operationId} returns the declared fields in order, and exactly the contract's headers`, async () => {
    for (const path of await examplePaths(endpoint, one)) {
      const answer = await one.get(path);
      assert.equal(answer.status, 200, path);
      assertSecurityHeaders(answer);
      const { etag, link, "x-request-id": requestId, "ratelimit-policy": announced, ...headers } = ownHeaders(answer);
      assert.equal(announced, await announcedLimits());
      assert.match(String(etag), /^"[\w-]{22}"$/);
      assert.match(String(requestId), /^[\w-]{8,}$/);
      assert.deepEqual(headers, {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-cache",
        vary: "Authorization, Accept-Encoding",
      });
      const text = textOf(answer);
      assert.equal(text, JSON.stringify(response.parse(JSON.parse(text))));
      assert.equal(link !== undefined, /"has_more":true/.test(text));
    }
  });

  test(`${operationId} answers HEAD like GET, without the body`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    const { "x-request-id": _, ...headers } = ownHeaders(await one.get(path));
    const head = (known = {}) =>
      send(baseUrl + path, { method: "HEAD", headers: { Authorization: `Bearer ${one.credential}`, ...known } });
    const answer = await head();
    assert.deepEqual([answer.status, answer.body.length], [200, 0]);
    const { "x-request-id": requestId, ...own } = ownHeaders(answer);
    assert.deepEqual(own, headers);
    assert.equal((await head({ "If-None-Match": String(headers.etag) })).status, 304);
    assert.equal((await head({ Authorization: "Bearer tsk_unknown" })).status, 401);
  });

  test(`${operationId} returns 304 without a body only if If-None-Match names its ETag`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    const { etag, "x-request-id": _, ...headers } = ownHeaders(await one.get(path));
    const tag = String(etag);
    const ofProxy = `W/${tag.slice(0, -1)}-gzip"`;
    const matching = [tag, `W/${tag}`, "*", `"a", ${tag}`, `W/"a",${tag} , "b"`, ` ${tag} `, [tag, '"a"'], ofProxy];
    for (const known of shareOf(matching, endpoint, reading)) {
      const answer = await one.get(path, { "If-None-Match": known });
      assert.deepEqual([answer.status, answer.body.length], [304, 0], String(known));
      const { "x-request-id": requestId, ...own } = ownHeaders(answer);
      assert.deepEqual(own, { ...headers, etag });
    }
    const others = ['"a"', tag.toLowerCase().toUpperCase(), `"a${tag.slice(1)}`];
    for (const unknown of shareOf(others, endpoint, reading)) {
      assert.equal((await one.get(path, { "If-None-Match": unknown })).status, 200, unknown);
    }
  });
}

test("no response contains an address that the client claims to have used", async () => {
  const forged = "elsewhere.example";
  const headers = {
    "X-Forwarded-Host": forged,
    "X-Forwarded-Proto": forged,
    Forwarded: `host=${forged};proto=${forged}`,
    "X-Original-Host": forged,
  };
  for (const path of ["/v1/events?per_page=1", "/v1/events/0", "/v1/nothing"]) {
    const answer = await one.get(path, headers);
    assert.ok(!`${JSON.stringify(answer.headers)}${textOf(answer)}`.includes(forged), path);
  }
});

test("a response is compressed only if it is over 1 KB and the client accepts gzip", async () => {
  // A large response and a small one: compression does not depend on the endpoint.
  for (const path of ["/v1/events", "/v1/key"]) {
    const plain = await one.get(path);
    assert.equal(plain.headers["content-encoding"], undefined);
    for (const accepted of ["gzip", "br, gzip;q=0.5", "*", "GZIP", "deflate;q=1, *;q=0.1"]) {
      const answer = await one.get(path, { "Accept-Encoding": accepted });
      const isLarge = plain.body.length > 1024;
      assert.equal(answer.headers["content-encoding"], isLarge ? "gzip" : undefined, `${path}: ${accepted}`);
      assert.deepEqual(isLarge ? gunzipSync(answer.body) : answer.body, plain.body);
    }
    for (const refused of ["identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "gzipped", ""]) {
      const answer = await one.get(path, { "Accept-Encoding": refused });
      assert.equal(answer.headers["content-encoding"], undefined, `${path}: ${refused}`);
      assert.deepEqual(answer.body, plain.body);
    }
  }
});
