import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, jest, test } from "@jest/globals";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { serviceUnavailable } from "../../../functions/problem.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { listen } from "../../../test/support/http/listen.ts";
import { type Attempt, recordBalancePayment, TicketingError, ticketingClient } from "../index.ts";
import packageJson from "../package.json" with { type: "json" };

/** The fate of a request. A test lists one for each request in turn; the last applies to all later ones. */
type Fate = RequestListener;

const json = { "Content-Type": "application/json" };
const works: Fate = (request, answer) => {
  const isPost = request.method === "POST";
  answer.writeHead(isPost ? 201 : 200, json).end(JSON.stringify(isPost ? exampleOf(BalancePayment) : { name: "Key" }));
};
const refused =
  (status: number, retryAfter?: string): Fate =>
  (_, answer) =>
    answer.writeHead(status, retryAfter === undefined ? {} : { "Retry-After": retryAfter }).end();
const busy = refused(429, "5");
const unavailable: Fate = (_, answer) => {
  const { statusCode, headers, body } = problemResponse(serviceUnavailable(undefined), "request-1");
  answer.writeHead(statusCode, headers).end(body);
};
const hangUp: Fate = (request) => request.socket.destroy();
const proxied =
  (body: string): Fate =>
  (_, answer) =>
    answer.writeHead(200, json).end(body);

let fates: Fate[] = [];
let received: { request: IncomingMessage; body: string }[] = [];
let waitedMs: number[] = [];
let attempts: Attempt[] = [];

const server = createServer(async (request: IncomingMessage, answer: ServerResponse) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received.push({ request, body });
  const fate = fates.length > 1 ? fates.shift() : fates[0];
  fate?.(request, answer);
});

const baseUrl = await listen(server);
const client = ticketingClient({
  baseUrl,
  apiKey: "tsk_test",
  userAgent: "nightly-sync/2.1",
  wait: async (delayMs) => void waitedMs.push(delayMs),
  onAttempt: (attempt) => attempts.push(attempt),
});
beforeEach(() => {
  attempts = [];
  received = [];
  waitedMs = [];
});

const get = () => client.GET("/v1/key");
const record = () => recordBalancePayment(client, 1, { type: "payment", amount: 1250 });

/** Asserts how often a call is sent with these fates, and whether it succeeds. */
async function assertTries(call: () => Promise<unknown>, met: Fate[], tries: number, succeeds: boolean): Promise<void> {
  fates = [...met];
  received = [];
  const hasSucceeded = await call().then(
    () => true,
    () => false,
  );
  assert.deepEqual([received.length, hasSucceeded], [tries, succeeds]);
}

test("every try of a request is identical, including its Idempotency-Key", async () => {
  await assertTries(record, [busy, hangUp, unavailable, works], 4, true);
  const sent = received.map(({ request, body }) => [request.url, request.headers["idempotency-key"], body]);
  assert.equal(new Set(sent.map((one) => JSON.stringify(one))).size, 1);
  assert.match(String(sent[0]?.[1]), /^[0-9a-f-]{36}$/);
  assert.equal(sent[0]?.[2], '{"type":"payment","amount":1250}');
});

test("the client waits for Retry-After plus a random time that grows with each try", async () => {
  jest.spyOn(Math, "random").mockImplementation(() => 0.5);
  await assertTries(get, [busy], 4, false);
  await assertTries(get, [hangUp], 4, false);
  assert.deepEqual(waitedMs, [5_500, 6_000, 7_000, 500, 1_000, 2_000]);
});

test("an error names what did not come from the API", async () => {
  for (const [fate, message] of [
    [proxied("<html>Sign in</html>"), "200 The response is damaged, or did not come from the Ticketing API."],
    [proxied('{"na'), "200 The response is damaged, or did not come from the Ticketing API."],
    [refused(502), "502 The response did not come from the Ticketing API."],
  ] as const) {
    fates = [fate];
    const error = await get().catch((thrown: unknown) => thrown);
    assert.ok(error instanceof TicketingError);
    assert.deepEqual([error.message, error.code], [message, undefined]);
  }
});

test("an error has everything that the API says about it", async () => {
  const errors = [{ parameter: "per_page", detail: "Must be an integer from 1 to 1000." }];
  const problem = { code: "forbidden", detail: "No.", errors, required_scope: "write:orders", request_id: "request-1" };
  fates = [(_, answer) => answer.writeHead(403, json).end(JSON.stringify(problem))];
  const error = await get().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TicketingError);
  const { status, code, detail, requiredScope, requestId } = error;
  assert.deepEqual(
    [status, code, detail, error.errors, requiredScope, requestId],
    [403, "forbidden", "No.", errors, "write:orders", "request-1"],
  );
  assert.equal(error.message, "403 forbidden No. (request request-1)");
});

test("every try is reported, without the key, and the request names the program and the client", async () => {
  jest.spyOn(Math, "random").mockImplementation(() => 0);
  fates = [unavailable, hangUp, proxied(""), works];
  await get();
  assert.deepEqual(
    attempts.map(({ number, method, url, status, requestId, retryInMs }) => ({
      ...{ number, method, url, status, requestId, retryInMs },
    })),
    [
      { number: 1, method: "GET", url: `${baseUrl}/v1/key`, status: 503, requestId: "request-1", retryInMs: 5_000 },
      { number: 2, method: "GET", url: `${baseUrl}/v1/key`, status: undefined, requestId: undefined, retryInMs: 0 },
      { number: 3, method: "GET", url: `${baseUrl}/v1/key`, status: 200, requestId: undefined, retryInMs: 0 },
      { number: 4, method: "GET", url: `${baseUrl}/v1/key`, status: 200, requestId: undefined, retryInMs: undefined },
    ],
  );
  const errors = attempts.map(({ error }) => error instanceof Error);
  assert.deepEqual(errors, [false, true, true, false]);
  assert.ok(attempts.every(({ durationMs }) => durationMs >= 0));
  assert.doesNotMatch(JSON.stringify(attempts), /tsk_test/);
  const agent = `nightly-sync/2.1 ticketing-client-typescript/${packageJson.version}`;
  assert.equal(received[0]?.request.headers["user-agent"], agent);
  await ticketingClient({ baseUrl, apiKey: "tsk_test" }).GET("/v1/key");
  assert.equal(received.at(-1)?.request.headers["user-agent"], agent.replace("nightly-sync/2.1 ", ""));
});

test("the number of retries can be chosen", async () => {
  const options = { baseUrl, apiKey: "tsk_test", wait: async () => {} };
  for (const maximumRetries of [0, 1]) {
    const chosen = ticketingClient({ ...options, maximumRetries });
    await assertTries(() => chosen.GET("/v1/key"), [busy], maximumRetries + 1, false);
  }
});

test("a try may take 30 seconds, or as long as its client chooses", async () => {
  const timeout = jest.spyOn(AbortSignal, "timeout");
  fates = [works];
  await get();
  await ticketingClient({ baseUrl, apiKey: "tsk_test", timeoutMs: 7_000 }).GET("/v1/key");
  assert.deepEqual(
    [...timeout.mock.calls].map(([ms]) => ms),
    [30_000, 7_000],
  );
});

test("a missing or invalid option is an error at once, which does not contain the key", () => {
  const valid = { baseUrl, apiKey: "tsk_secret" };
  for (const [options, expected] of [
    [{ baseUrl: "" }, /^baseUrl must/],
    [{ baseUrl: undefined }, /^baseUrl must/],
    [{ baseUrl: "api.example.com" }, /^baseUrl must/],
    [{ apiKey: "" }, /^apiKey is missing/],
    [{ apiKey: undefined }, /^apiKey is missing/],
    [{ apiKey: "tsk_secret\n" }, /invalid characters/],
    [{ timeoutMs: 0 }, /^timeoutMs/],
    [{ timeoutMs: Infinity }, /^timeoutMs/],
    [{ maximumRetries: -1 }, /^maximumRetries/],
    [{ maximumRetries: 1.5 }, /^maximumRetries/],
  ] as const) {
    const made = () => ticketingClient({ ...valid, ...(options as object) });
    assert.throws(made, (error: unknown) => error instanceof TypeError && expected.test(error.message));
    assert.throws(made, (error: unknown) => !String(error).includes("secret"));
  }
});

test("a caller's abort ends all tries", async () => {
  const controller = new AbortController();
  fates = [
    (request) => {
      controller.abort();
      request.socket.destroy();
    },
  ];
  await assert.rejects(client.GET("/v1/key", { signal: controller.signal }), { name: "AbortError" });
  await turn();
  assert.equal(received.length, 1);
  assert.deepEqual(waitedMs, []);
});

test("a caller's abort ends the wait before the next try", async () => {
  const controller = new AbortController();
  const abort = () => void setImmediate(() => controller.abort());
  const waiting = ticketingClient({ baseUrl, apiKey: "tsk_test", onAttempt: abort });
  fates = [refused(429, "30")];
  const startMs = performance.now();
  await assert.rejects(waiting.GET("/v1/key", { signal: controller.signal }), { name: "AbortError" });
  assert.ok(performance.now() - startMs < 30_000);
});
