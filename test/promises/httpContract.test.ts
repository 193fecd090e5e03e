import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { gunzipSync } from "node:zlib";
import { beforeAll, test } from "@jest/globals";
import { type Endpoint, methodsOf } from "../../functions/api/endpoint.ts";
import { CallingKey } from "../../functions/endpoints/getKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { routes } from "../../functions/mcp/routes.ts";
import { assertProblem, assertSecurityHeaders } from "../support/http/assertProblem.ts";
import type { Client } from "../support/http/client.ts";
import { examplePaths, hasId, withId } from "../support/http/examples.ts";
import { ownHeaders, send, textOf } from "../support/http/send.ts";
import { baseUrl, callersOf, changesShown, localService, one, two } from "../support/service/testedService.ts";

async function assertNothingAt(one: Client, endpoint: Endpoint, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const { detail } = assertProblem(await one.call(endpoint, path), "not_found");
    assert.match(detail, /^No such [\w ]+\./, path);
  }
}

async function pathWithoutQuery(endpoint: Endpoint): Promise<string> {
  const [path = ""] = await examplePaths(endpoint, callersOf(endpoint).one);
  return path.split("?")[0] ?? "";
}

for (const endpoint of routes) {
  test(`${endpoint.operationId} is only at its exact path`, async () => {
    const path = await pathWithoutQuery(endpoint);
    const below = `${path}/x`;
    const isOther = routes.some((other) => new RegExp(`^${other.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(below));
    const others = [path.toUpperCase(), path.replace(/^\/\w+/, "/v2"), `${path};x`, ...(isOther ? [] : [below])];
    await assertNothingAt(callersOf(endpoint).one, endpoint, ...others);
  });
}

test("a path with an extra slash or without its id is not found", async () => {
  for (const endpoint of routes) {
    const path = await pathWithoutQuery(endpoint);
    const others = [`${path}/`, `/${path}`, `${path}%2F`, ...(hasId(endpoint) ? [withId(endpoint, "")] : [])];
    await assertNothingAt(callersOf(endpoint).one, endpoint, ...others);
  }
});

test("an unknown path gets 404, with or without a key, and is not repeated", async () => {
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/%", "/v1/%00", "/v1/../v1/events", "//"]) {
    for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
      const { detail } = assertProblem(await send(baseUrl + path, { headers }), "not_found");
      assert.match(detail, /^No such path\. /, path);
    }
  }
});

async function assertOtherMethodsRefused(path: string, methods: readonly string[]): Promise<void> {
  const own = routes.filter((each) => each.path === path);
  const allowed = own.flatMap(methodsOf);
  const [target = ""] = await Promise.all(own.map(pathWithoutQuery));
  for (const method of methods.filter((each) => !allowed.includes(each))) {
    for (const headers of [{}, { Authorization: `Bearer ${one.credential}` }]) {
      const answer = await send(baseUrl + target, { method, headers });
      assert.equal(answer.headers.allow, allowed.sort().join(", "), method);
      if (method === "HEAD") assert.equal(answer.status, 405);
      else assertProblem(answer, "method_not_allowed");
    }
  }
}

for (const path of new Set(routes.map((each) => each.path))) {
  test(`${path} returns 405 for other methods, with its own in Allow`, () =>
    assertOtherMethodsRefused(path, ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]));
}

test("methods that no path has get 405", async () => {
  // CONNECT reaches no path. API Gateway rejects unknown methods before it looks at the path.
  await assertOtherMethodsRefused(
    "/v1/key",
    METHODS.filter((method) => method !== "CONNECT"),
  );
});

/** The header that announces the limits of the calling key. A stage may have others, or none. */
let announcedLimits: string | undefined;
beforeAll(async () => {
  await changesShown();
  const { rate_limit } = CallingKey.parse(await one.json("/v1/key"));
  if (localService) assert.deepEqual(rate_limit, { requests: 3_000, organisation_requests: 15_000, seconds: 60 });
  if (rate_limit === null) return;
  const { requests, organisation_requests, seconds } = rate_limit;
  announcedLimits = `"key";q=${requests};w=${seconds}, "organisation";q=${organisation_requests};w=${seconds}`;
});

for (const endpoint of endpoints.filter(({ method }) => method === "GET")) {
  const { operationId, response } = endpoint;
  const { one } = callersOf(endpoint);

  test(`${operationId} returns the declared fields, and the contract's headers`, async () => {
    for (const path of await examplePaths(endpoint, one)) {
      const answer = await one.get(path);
      assert.equal(answer.status, 200, path);
      assertSecurityHeaders(answer);
      const { etag, link, "x-request-id": requestId, "ratelimit-policy": announced, ...headers } = ownHeaders(answer);
      assert.equal(announced, announcedLimits);
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

  for (const method of ["GET", "HEAD"]) {
    test(`${operationId} returns the same headers for ${method}, and 304 without a body for its ETag`, async () => {
      const [path = ""] = await examplePaths(endpoint, one);
      const { "x-request-id": _, ...headers } = ownHeaders(await one.get(path));
      const answer = async (known: string) => {
        const sent = { Authorization: `Bearer ${one.credential}`, "If-None-Match": known };
        const got = await send(baseUrl + path, { method, headers: sent });
        const { "x-request-id": _, ...own } = ownHeaders(got);
        return [got.status, got.body.length > 0, own];
      };
      assert.deepEqual(await answer('"a"'), [200, method === "GET", headers]);
      const { "content-type": type, ...unchanged } = headers;
      // A deployed gateway adds its default.
      const ofGateway = localService ? {} : { "content-type": "application/json" };
      assert.equal(type, "application/json; charset=utf-8");
      assert.deepEqual(await answer(`"a", W/${headers.etag}`), [304, false, { ...unchanged, ...ofGateway }]);
    });
  }
}

test("a response is compressed only if it is over 1 KB and the client accepts gzip", async () => {
  // A large response and a small one: compression does not depend on the endpoint.
  for (const path of ["/v1/events", "/v1/key"]) {
    const plain = await one.get(path);
    const isLarge = plain.body.length > 1_024;
    for (const [accepted, isGzip] of [
      ...["gzip", "br, gzip;q=0.5", "*", "GZIP", "deflate;q=1, *;q=0.1"].map((text) => [text, isLarge] as const),
      ...["identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "gzipped", ""].map((text) => [text, false] as const),
    ]) {
      const { headers, body } = await one.get(path, { "Accept-Encoding": accepted });
      assert.equal(headers["content-encoding"], isGzip ? "gzip" : undefined, `${path}: ${accepted}`);
      assert.deepEqual(isGzip ? gunzipSync(body) : body, plain.body);
    }
  }
});

test("expand includes what belongs together in one call", async () => {
  const names = "tickets,payments,attendees,event,date,discount";
  for (const client of [one, two]) {
    const alone = (await client.rows("/v1/orders")).find(({ email }) => email);
    const orders = await client.rows(`/v1/orders?email=${encodeURIComponent(String(alone?.email))}&expand=${names}`);
    const { data: page } = await client.page(`/v1/orders?per_page=3&expand=${names}`);
    assert.ok(orders.length > 0 && page.length === 3);
    for (const order of [...orders, ...page]) {
      const { has_more_tickets = false, tickets: firstTickets, ...others } = order;
      const tickets = await client.rows(`/v1/orders/${order.id}/tickets`);
      assert.deepEqual(firstTickets, tickets.slice(0, 100));
      assert.equal(has_more_tickets, tickets.length > 100);
      for (const name of ["payments", "attendees"])
        assert.deepEqual(order[name], await client.rows(`/v1/orders/${order.id}/${name}`), name);
      for (const name of ["event", "date", "discount"]) {
        const id = order[`${name}_id`];
        assert.deepEqual(order[name], id === null ? null : await client.json(`/v1/${name}s/${id}`), name);
      }
      assert.deepEqual(await client.json(`/v1/orders/${order.id}?expand=${names}`), { ...others, tickets });
    }
  }
});

test("the list of payments has those of all events with their orders, and a time divides it into two ranges", async () => {
  for (const client of [one, two]) {
    const all = await client.rows("/v1/payments?expand=order,event");
    const ofEvents: Record<string, unknown>[] = [];
    for (const { id } of await client.rows("/v1/events"))
      ofEvents.push(...(await client.rows(`/v1/events/${id}/payments?expand=order,event`)));
    const byId = (rows: Record<string, unknown>[]) => rows.toSorted((a, b) => Number(a.id) - Number(b.id));
    assert.deepEqual(byId(all), byId(ofEvents));
    const { order, event, ...payment } = all.find((row) => row.order && row.event && row.date_completed) ?? {};
    const ownOrder = (await client.rows("/v1/orders")).find(({ id }) => id === payment.order_id);
    assert.deepEqual([order, event], [ownOrder, await client.json(`/v1/events/${payment.event_id}`)]);
    const single = await client.json(`/v1/payments/${payment.id}?expand=order,event`);
    assert.deepEqual(single, { ...payment, order, event });
    const completed = encodeURIComponent(String(payment.date_completed));
    const [before, after] = [`completed_to=${completed}`, `completed_from=${completed}`];
    const halves = [await client.rows(`/v1/payments?${before}`), await client.rows(`/v1/payments?${after}`)];
    assert.ok(halves[1]?.some(({ id }) => id === payment.id));
    const withTime = all.filter((row) => row.date_completed !== null).map(({ id }) => id);
    assert.deepEqual(
      halves
        .reverse()
        .flat()
        .map(({ id }) => id),
      withTime,
    );
  }
});
