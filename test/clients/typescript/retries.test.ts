import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, jest, test } from "@jest/globals";
import {
  type Attempt,
  recordBalancePayment,
  type TicketingClient,
  TicketingError,
  ticketingClient,
} from "../../../clients/typescript/index.ts";
import packageJson from "../../../clients/typescript/package.json" with { type: "json" };
import { anySignal, delay } from "../../../clients/typescript/retryingFetch.ts";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { serviceUnavailable } from "../../../functions/problem.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";

/** What happens to a request. A test lists one for each request in turn; the last applies to all later ones. */
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
const breakOff: Fate = (_, answer) => {
  answer.writeHead(200, { ...json, "Content-Length": 100 });
  answer.write('{"na', () => answer.destroy());
};

let fates: Fate[] = [];
let received: { request: IncomingMessage; body: string }[] = [];
let waitedMs: number[] = [];
let client: TicketingClient;
let baseUrl = "";
let attempts: Attempt[] = [];

const server = createServer(async (request: IncomingMessage, answer: ServerResponse) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received.push({ request, body });
  const fate = fates.length > 1 ? fates.shift() : fates[0];
  fate?.(request, answer);
});

beforeAll(async () => {
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const { port } = server.address() as AddressInfo;
  const wait = async (delayMs: number) => void waitedMs.push(delayMs);
  const options = { wait, userAgent: "nightly-sync/2.1", onAttempt: (attempt: Attempt) => attempts.push(attempt) };
  baseUrl = `http://127.0.0.1:${port}`;
  client = ticketingClient({ baseUrl, apiKey: "tsk_test", ...options });
});
beforeEach(() => {
  attempts = [];
  received = [];
  waitedMs = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = () => client.GET("/v1/key");
const record = () => recordBalancePayment(client, 1, { type: "payment", amount: 1250 });
const recordWithoutKey = () =>
  client.POST("/v1/events/{id}/balance-payments", {
    params: { path: { id: 1 } },
    body: { type: "payment", amount: 1250 },
  });
const update = () => client.PATCH("/v1/orders/{id}", { params: { path: { id: 1 } }, body: { admin_note: null } });

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

describe("a request that may safely be sent again", () => {
  for (const [name, call] of Object.entries({ "a GET": get, "a POST with an Idempotency-Key": record })) {
    test(`${name} is retried after any temporary failure until it succeeds`, async () => {
      await assertTries(call, [busy, unavailable, hangUp, works], 4, true);
      await assertTries(call, [breakOff, works], 2, true);
    });

    test(`${name} is sent at most four times`, async () => {
      for (const fate of [busy, unavailable, hangUp, breakOff]) await assertTries(call, [fate], 4, false);
    });

    test(`${name} is retried after an error of the service or of a proxy`, async () => {
      for (const status of [500, 502, 503, 504]) await assertTries(call, [refused(status), works], 2, true);
    });
  }

  test("is identical every time, including its Idempotency-Key", async () => {
    await assertTries(record, [busy, hangUp, unavailable, works], 4, true);
    const sent = received.map(({ request, body }) => [request.url, request.headers["idempotency-key"], body]);
    assert.equal(new Set(sent.map((one) => JSON.stringify(one))).size, 1);
    assert.match(String(sent[0]?.[1]), /^[0-9a-f-]{36}$/);
    assert.equal(sent[0]?.[2], '{"type":"payment","amount":1250}');
  });
});

describe("a request that may already have taken effect", () => {
  for (const [name, call] of Object.entries({
    "a POST without an Idempotency-Key": recordWithoutKey,
    "a PATCH": update,
  })) {
    test(`${name} is retried only after 429`, async () => {
      await assertTries(call, [busy, works], 2, true);
      for (const fate of [unavailable, refused(500), refused(502), hangUp, breakOff])
        await assertTries(call, [fate, works], 1, false);
    });
  }
});

test("no other error is retried", async () => {
  for (const status of [400, 401, 403, 404, 409, 422, 501]) {
    await assertTries(get, [refused(status), works], 1, false);
  }
});

test("the client waits for Retry-After plus a random time that grows with each try", async () => {
  jest.spyOn(Math, "random").mockImplementation(() => 0.5);
  await assertTries(get, [busy], 4, false);
  await assertTries(get, [hangUp], 4, false);
  assert.deepEqual(waitedMs, [5_500, 6_000, 7_000, 500, 1_000, 2_000]);
});

test("the client never waits longer than a minute", async () => {
  await assertTries(get, [refused(429, "61")], 1, false);
  await assertTries(get, [refused(503, "Fri, 20 Nov 2099 00:00:00 GMT")], 1, false);
});

test("Retry-After may be a date, and anything else counts as missing", async () => {
  jest.spyOn(Math, "random").mockImplementation(() => 0);
  const now = jest.spyOn(Date, "now").mockReturnValue(Date.parse("2027-03-01T12:00:00Z"));
  await assertTries(get, [refused(503, "Mon, 01 Mar 2027 12:00:10 GMT"), works], 2, true);
  now.mockRestore();
  assert.deepEqual(waitedMs, [10_000]);
  waitedMs = [];
  for (const past of ["Fri, 20 Nov 2015 00:00:00 GMT", "soon", "-5", ""])
    await assertTries(get, [refused(503, past), works], 2, true);
  assert.deepEqual(waitedMs, [0, 0, 0, 0]);
});

test("a response that did not come from the API is a typed error, even with status 200", async () => {
  const proxied =
    (body: string, type = "text/html"): Fate =>
    (_, answer) =>
      answer.writeHead(200, { "Content-Type": type }).end(body);
  const answers = [
    proxied("<html>Sign in</html>"),
    proxied('{"na', json["Content-Type"]),
    proxied(""),
    proxied("null"),
  ];
  for (const fate of answers) {
    fates = [fate];
    const error = await get().catch((thrown: unknown) => thrown);
    assert.ok(error instanceof TicketingError);
    assert.equal(error.message, "200 The response did not come from the Ticketing API.");
  }
});

test("every try is reported, without the key, and the request names the program and the client", async () => {
  jest.spyOn(Math, "random").mockImplementation(() => 0);
  fates = [unavailable, hangUp, works];
  await get();
  assert.deepEqual(
    attempts.map(({ number, method, url, status, requestId, retryInMs }) => ({
      ...{ number, method, url, status, requestId, retryInMs },
    })),
    [
      { number: 1, method: "GET", url: `${baseUrl}/v1/key`, status: 503, requestId: "request-1", retryInMs: 5_000 },
      { number: 2, method: "GET", url: `${baseUrl}/v1/key`, status: undefined, requestId: undefined, retryInMs: 0 },
      { number: 3, method: "GET", url: `${baseUrl}/v1/key`, status: 200, requestId: undefined, retryInMs: undefined },
    ],
  );
  assert.ok(attempts[1]?.error instanceof Error && attempts.every(({ durationMs }) => durationMs >= 0));
  assert.doesNotMatch(JSON.stringify(attempts), /tsk_test/);
  const agent = `nightly-sync/2.1 ticketing-client-typescript/${packageJson.version}`;
  assert.equal(received[0]?.request.headers["user-agent"], agent);
});

test("a try ends after the time-out, and the number of retries can be chosen", async () => {
  const impatient = ticketingClient({
    baseUrl,
    apiKey: "tsk_test",
    timeoutMs: 50,
    maximumRetries: 1,
    wait: async () => {},
  });
  await assertTries(() => impatient.GET("/v1/key"), [() => undefined], 2, false);
  const single = ticketingClient({ baseUrl, apiKey: "tsk_test", maximumRetries: 0 });
  await assertTries(() => single.GET("/v1/key"), [busy, works], 1, false);
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

test("the client throws the last error", async () => {
  fates = [hangUp, unavailable];
  await assert.rejects(
    get,
    (error: unknown) => error instanceof TicketingError && error.code === "service_unavailable",
  );
  fates = [refused(502)];
  const error = await update().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TicketingError);
  assert.deepEqual(
    [error.status, error.code, error.message],
    [502, undefined, "502 The response did not come from the Ticketing API."],
  );
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

describe("anySignal", () => {
  test("aborts with the reason of the first signal that aborts", () => {
    const controllers = [new AbortController(), new AbortController()];
    const signal = anySignal(controllers.map((controller) => controller.signal));
    assert.equal(signal.aborted, false);
    controllers[1]?.abort("second");
    controllers[0]?.abort("first");
    assert.equal(signal.reason, "second");
  });

  test("has aborted if one of the signals has", () => {
    assert.equal(anySignal([new AbortController().signal, AbortSignal.abort("before")]).reason, "before");
  });
});

describe("delay", () => {
  const minuteMs = 60_000;

  test("ends after the delay", async () => {
    await delay(1, new AbortController().signal);
  });

  test("rejects with the signal's reason when the signal aborts or has aborted", async () => {
    const controller = new AbortController();
    const delayed = delay(minuteMs, controller.signal);
    controller.abort(new Error("during"));
    await assert.rejects(delayed, { message: "during" });
    await assert.rejects(delay(minuteMs, AbortSignal.abort(new Error("before"))), { message: "before" });
  });
});
