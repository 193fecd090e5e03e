import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, test } from "@jest/globals";
import fc from "fast-check";
import { type Answered, post } from "../../../functions/webhooks/receiver.ts";
import { cases } from "../../support/jest/cases.ts";
import { until } from "../../support/service/until.ts";
import { closeServers, listen } from "../../support/webhooks/localServers.ts";

afterEach(closeServers);

const local = { allowsLoopback: true };

/** @throws if an attempt does not settle, long after any time limit of these tests. */
async function settled(attempt: Promise<Answered>): Promise<Answered> {
  const answered = await Promise.race([attempt, wait(10_000, undefined, { ref: false })]);
  assert.ok(answered, "never settles");
  return answered;
}

/** One attempt at a receiver that does this with its connection. All of its connections are closed in the end. */
async function attempt(act: (socket: Socket) => void, timeoutMs: number, scheme = "http") {
  const { port, open } = await listen((socket) => act(socket.resume()));
  const answered = await settled(post(`${scheme}://localhost:${port}/`, {}, "{}", { ...local, timeoutMs }));
  await until(async () => open() === 0, 5);
  return answered;
}

/** Writes at the beginning, and repeats a text without an end. */
const endless = (beginning: string, text: string) => (socket: Socket) => {
  const write = () => socket.destroyed || socket.write(text.repeat(1_000), () => setImmediate(write));
  socket.write(beginning);
  write();
};
const sending = (content: string | Buffer) => (socket: Socket) => void socket.write(content);
const ending = (content: string) => (socket: Socket) => void socket.end(content);

const ok = "HTTP/1.1 200 OK\r\n";
const switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: upgrade\r\n\r\n";
const chunked = "Transfer-Encoding: chunked\r\n\r\n";
const early = "HTTP/1.1 103 Early Hints\r\n\r\n";
const bomb = gzipSync(Buffer.alloc(10_000_000));
const failure = (code: string) => [null, `The connection failed (${code}).`, ""];
const tooMany = [null, "The receiver sent too many interim responses.", ""];

type Case = [name: string, act: (socket: Socket) => void, expected: unknown[]];

/** What ends an attempt before any time limit. */
const ends: Case[] = [
  ["switches protocols", sending(`${switching}hello`), [101, null, ""]],
  ["has status 101 without an upgrade", sending("HTTP/1.1 101 No\r\n\r\n"), [101, null, ""]],
  ["sends ten interim responses first", sending(`${early.repeat(10)}${ok}Content-Length: 0\r\n\r\n`), [200, null, ""]],
  ["sends one more", sending(`${early.repeat(11)}${ok}Content-Length: 0\r\n\r\n`), tooMany],
  ["sends interim responses endlessly", endless("", "HTTP/1.1 100 Continue\r\n\r\n"), tooMany],
  ["sends headers endlessly", endless(ok, "A: b\r\n"), failure("HPE_HEADER_OVERFLOW")],
  ["sends chunk extensions endlessly", endless(`${ok}${chunked}5;`, "a"), [200, null, ""]],
  ["sends trailers endlessly", endless(`${ok}${chunked}2\r\nok\r\n0\r\n`, "A: b\r\n"), [200, null, "ok"]],
  ["sends a body endlessly", endless(`${ok}\r\n`, "x"), [200, null, "x".repeat(1_024)]],
  [
    "stops after 1 KB",
    sending(`${ok}Content-Length: 2048\r\n\r\n${"x".repeat(1_024)}`),
    [200, null, "x".repeat(1_024)],
  ],
  ["ends without a response", ending(""), failure("ECONNRESET")],
  ["ends in the headers", ending(ok), failure("ECONNRESET")],
  ["ends in the body", ending(`${ok}Content-Length: 9\r\n\r\nhalf`), [200, null, "half"]],
  ["ends to end the body", ending(`${ok}\r\nall`), [200, null, "all"]],
  ["resets", (socket) => socket.once("data", () => socket.resetAndDestroy()), failure("ECONNRESET")],
  ["does not close", sending(`${ok}Connection: keep-alive\r\nContent-Length: 2\r\n\r\nok`), [200, null, "ok"]],
  ["announces to close and does not", sending(`${ok}Connection: close\r\n${chunked}0\r\n\r\n`), [200, null, ""]],
  ["sends a second response", sending(`${ok}Content-Length: 2\r\n\r\nok${ok}`), [200, null, "ok"]],
  ["sends a wrong chunk", sending(`${ok}${chunked}zz\r\n`), [200, null, ""]],
  ["answers by HTTP/0.9", ending("<p>secret</p>"), failure("HPE_INVALID_CONSTANT")],
];

/** What ends at the time limit only. It leaves a busy machine the time to read what the receiver sends. */
const hangingMs = 1_500;
const late = [null, "No response within 1.5 seconds.", ""];
const hangs: Case[] = [
  ["does nothing", () => undefined, late],
  ["sends one interim response", sending(early), late],
  ["begins headers", sending(`${ok}A: b\r\n`), late],
  ["begins a body", sending(`HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf`), [500, null, "half"]],
  ["sends headers only", sending(`${ok}\r\n`), [200, null, ""]],
  ["is not at the end of the trailers", sending(`${ok}${chunked}0\r\nA: b\r\n`), [200, null, ""]],
];

const shown = ({ status, error, response }: Answered) => [status, error, response];

describe("an attempt ends", () => {
  test.each(ends)("without the time limit if the receiver %s", async (_name, act, expected) => {
    assert.deepEqual(shown(await attempt(act, 600_000)), expected);
  });

  test("at the time limit if the receiver does not end it", async () => {
    const attempts = hangs.map(([, act]) => attempt(act, hangingMs));
    const all = await Promise.all(attempts);
    const expected = hangs.map(([name, , answered]) => [name, ...answered]);
    assert.deepEqual(
      all.map((answered, index) => [hangs[index]?.[0], ...shown(answered)]),
      expected,
    );
    for (const { durationMs } of all) assert.ok(durationMs > hangingMs - 50);
  });

  test("without decompressing the response", async () => {
    const head = `${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const { response } = await attempt(sending(Buffer.concat([Buffer.from(head), bomb])), 600_000);
    assert.equal(response, bomb.subarray(0, 1_024).toString("utf8"));
  });

  test("if the receiver answers without reading the request, or does not read it", async () => {
    const body = "x".repeat(20_000_000);
    const unread = await listen((socket) => void socket.pause().write(`${ok}Content-Length: 0\r\n\r\n`));
    const silent = await listen((socket) => void socket.pause());
    const answers = [unread, silent].map(({ port }, index) =>
      settled(post(`http://127.0.0.1:${port}/`, {}, body, { ...local, timeoutMs: [600_000, hangingMs][index] })),
    );
    assert.deepEqual((await Promise.all(answers)).map(shown), [[200, null, ""], late]);
  });

  test("as a failure if Node refuses to make the request", async () => {
    const wrong = await settled(post("http://127.0.0.1:1/", { a: "\n" }, "", local));
    assert.deepEqual(shown(wrong), failure("ERR_INVALID_CHAR"));
    assert.deepEqual(shown(await settled(post("hooks", {}, ""))), failure("ERR_INVALID_URL"));
  });
});

/** Pieces that a sequence of may make a response, or garbage. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      ok,
      "HTTP/1.1 204 No Content\r\n",
      "HTTP/1.0 500 \r\n",
      "HTTP/1.1 101 No\r\n",
      early,
      switching,
      "\r\n",
      "\r\n\r\n",
    ],
    ...["Content-Length: 5\r\n", "Content-Length: 99999999999\r\n", "Content-Length: -1\r\n", "Upgrade: h2c\r\n"],
    ...["Connection: upgrade\r\n", "Connection: close\r\n", "Retry-After: 7\r\n", "Transfer-Encoding: chunked\r\n"],
    ...[
      "Content-Encoding: gzip\r\n",
      "Trailer: a\r\n",
      "5\r\nhello\r\n",
      "0\r\n",
      "a: b\r\n",
      "hello",
      "x".repeat(2_000),
    ],
  ),
  fc.string({ maxLength: 30 }),
);
const bytes = fc.oneof(
  { weight: 5, arbitrary: piece.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((array) => Buffer.from(array)) },
  // The server's hello of TLS.
  { weight: 1, arbitrary: fc.constant(Buffer.from("160303003d020000390303", "hex")) },
);
const step = fc.oneof(
  { weight: 8, arbitrary: bytes },
  { weight: 1, arbitrary: bytes.chain((all) => fc.nat(all.length).map((end) => all.subarray(0, end))) },
  { weight: 1, arbitrary: fc.constantFrom("pause" as const, "end" as const, "reset" as const) },
);
const script = fc.record({
  scheme: fc.constantFrom("http", "http", "http", "https"),
  steps: fc.array(step, { maxLength: 12 }),
});

/** Acts like a script, until the connection is closed. */
async function play(socket: Socket, steps: readonly (Buffer | "pause" | "end" | "reset")[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed || socket.writableEnded) return;
    if (step === "pause") await wait(5);
    else if (step === "reset") socket.resetAndDestroy();
    else if (step === "end") socket.end();
    else socket.write(step);
  }
}

test("an attempt ends with a well-formed result, and closes its connection, whatever the receiver does at any byte", async () => {
  const scripts = fc.array(script, { minLength: 30, maxLength: 30 });
  const property = fc.asyncProperty(scripts, async (together) => {
    const attempts = together.map(({ scheme, steps }) => attempt((socket) => void play(socket, steps), 300, scheme));
    for (const { status, error, response, durationMs, retryAfterMs } of await Promise.all(attempts)) {
      assert.ok((status === null) !== (error === null));
      assert.ok(Number.isInteger(durationMs) && response.length <= 1_024);
      assert.ok(retryAfterMs === null || retryAfterMs === 7_000);
    }
  });
  await fc.assert(property, { numRuns: cases(8, 200), endOnFailure: true });
});
