import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, test } from "@jest/globals";
import { isPublic } from "../../../functions/webhooks/publicAddress.ts";
import { hostProblem, post, type ReceiverResponse } from "../../../functions/webhooks/receiver.ts";
import { until } from "../../support/service/until.ts";
import {
  closeServers,
  dnsServer,
  listen,
  noSuchName,
  receive,
  serverFailure,
} from "../../support/webhooks/localServers.ts";

afterEach(closeServers);

const local = { allowsLoopback: true };

const notPublic = "The host has no public address.";
/** The ranges of IANA's registries, by an address at each end, and of clouds' metadata services. */
const privateAddresses = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1"],
  ...["127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255", "172.16.0.0"],
  ...["172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255"],
  ...["198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.0", "239.255.255.255", "240.0.0.0"],
  ...["255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1"],
  ...["64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1"],
  ...["fd00:ec2::254", "fd20:ce::254", "fe80::1", "fec0::1", "ff02::1"],
];
const publicAddresses = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"].concat(
  ["192.0.1.0", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
  ["2001:200::1", "2600:1f18::1", "2a00:1450:4001::1"],
);

describe("an address", () => {
  test("is public unless it is in a special range, or not an address", () => {
    for (const address of privateAddresses) assert.equal(isPublic(address), false, address);
    for (const address of publicAddresses) assert.equal(isPublic(address), true, address);
    for (const text of ["", "localhost", "8.8.8.8.8", "8.8.8", "::g"]) assert.equal(isPublic(text), false, text);
  });

  const inUrls = (address: string) => (address.includes(":") ? `[${address}]` : address);
  test("that is not public is never connected to, however the URL writes it", async () => {
    const { port, connections } = await listen((socket) => socket.end());
    const notations = ["127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.01", "127.0.0.1."];
    const hosts = [...privateAddresses.map(inUrls), ...notations, "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "①②⑦.⓪.⓪.①"];
    for (const host of hosts) {
      const { status, error } = await post(`https://${host}:${port}/`, {}, "{}");
      assert.deepEqual([status, error], [null, notPublic], host);
    }
    assert.equal(connections(), 0);
  });

  test("that is not public is refused if a name resolves to it, even among public ones", async () => {
    const { port, connections } = await listen((socket) => socket.end());
    let addresses: string[] = [];
    const { options } = await dnsServer(() => addresses);
    for (const address of privateAddresses)
      for (addresses of [[address], ["8.8.8.8", address], [address, "2600:1f18::1"]]) {
        const url = `https://hooks.example:${port}/`;
        const { error } = await post(url, {}, "{}", options);
        assert.deepEqual([error, await hostProblem(url, options)], [notPublic, notPublic], addresses.join());
      }
    addresses = publicAddresses;
    assert.equal(await hostProblem("https://hooks.example/", options), undefined);
    assert.equal(connections(), 0);
  });

  test("is the one that was checked: a name is resolved once", async () => {
    const { port } = await receive((_incoming, outgoing) => outgoing.end("ok"));
    const { options, questions } = await dnsServer(() => (questions.length > 2 ? ["10.0.0.1"] : ["127.0.0.1"]));
    const { status } = await post(`http://hooks.example:${port}/`, {}, "{}", { ...local, ...options });
    assert.deepEqual([status, questions.map(({ family }) => family).sort()], [200, [4, 6]]);
  });
});

test("the local service reaches this machine over http, by address and by name, and no other machine", async () => {
  const { port, paths } = await receive((_incoming, outgoing) => outgoing.writeHead(204).end());
  for (const host of ["127.0.0.1", "localhost", "hooks.localhost"])
    assert.equal((await post(`http://${host}:${port}/a`, {}, "{}", local)).status, 204, host);
  assert.deepEqual(paths, ["/a", "/a", "/a"]);
  for (const host of ["10.0.0.1", "169.254.169.254", "8.8.8.8"])
    assert.equal((await post(`http://${host}/`, {}, "{}", local)).error, notPublic);
  assert.equal((await post(`http://127.0.0.1:${port}/`, {}, "{}")).error, "Must be an https URL.");
});

const send = (port: number) => post(`http://127.0.0.1:${port}/hook`, { "webhook-id": "msg_1" }, '{"é":1}', local);

describe("a receiver", () => {
  test("gets the headers and the body in one request", async () => {
    let got: unknown;
    const { port } = await receive(async (incoming, outgoing) => {
      const chunks = await incoming.toArray();
      got = [incoming.method, incoming.url, incoming.headers["webhook-id"], Buffer.concat(chunks).toString()];
      outgoing.writeHead(201).end("thanks");
    });
    const { status, error, response, durationMs } = await send(port);
    assert.deepEqual([status, error, response], [201, null, "thanks"]);
    assert.ok(durationMs >= 0);
    assert.deepEqual(got, ["POST", "/hook", "msg_1", '{"é":1}']);
  });

  test("that redirects is not followed", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { port, paths } = await receive((_incoming, outgoing) =>
        outgoing.writeHead(status, { Location: "http://169.254.169.254/latest/meta-data" }).end(),
      );
      assert.equal((await send(port)).status, status);
      assert.deepEqual(paths, ["/hook"]);
    }
  });

  test("may ask for a wait, by seconds or by a date of its own clock, that is at most 12 hours", async () => {
    let headers: Record<string, string | string[]> = {};
    const { port } = await receive((_incoming, outgoing) => outgoing.writeHead(503, headers).end());
    const waitOf = async (value: string | string[], date = "Sun, 06 Nov 1994 08:49:37 GMT") => {
      headers = { "Retry-After": value, Date: date };
      return (await send(port)).retryAfterMs;
    };
    const hours12 = 12 * 60 * 60 * 1_000;
    const valid = { "0": 0, "120": 120_000, "43201": hours12, ["9".repeat(400)]: hours12 };
    for (const [value, waitMs] of Object.entries(valid)) assert.equal(await waitOf(value), waitMs, value);
    const invalid = ["-1", "1.5", "1e3", "+1", "0x10", "1, 2", "soon", "Invalid Date", "2099-01-01", ""];
    for (const value of [...invalid, "Mon, 06 Nov 1994 08:50:37 GMT", ["1", "2"]])
      assert.equal(await waitOf(value), null, String(value));
    assert.equal(await waitOf("Sun, 06 Nov 1994 08:50:37 GMT"), 60_000);
    assert.equal(await waitOf("Sun, 06 Nov 1994 08:48:37 GMT"), 0);
    assert.equal(await waitOf("Sun, 06 Nov 1994 08:50:37 GMT", "yesterday"), 0);
    assert.equal(await waitOf(new Date(Date.now() + 2 * hours12).toUTCString(), "yesterday"), hours12);
    headers = {};
    assert.equal((await send(port)).retryAfterMs, null);
  });

  test("whose certificate is not valid gets nothing", async () => {
    const { port, connections } = await listen((socket) => socket.end("not TLS"));
    const { error, isSent } = await post(`https://localhost:${port}/`, {}, "{}", local);
    assert.match(String(error), /^The connection failed/);
    assert.equal(isSent, false);
    assert.equal(connections(), 1);
  });
});

test("a receiver may have the message although it does not respond", async () => {
  const { port } = await receive(async (incoming, outgoing) => {
    await incoming.toArray();
    outgoing.destroy();
  });
  const { error, isSent } = await send(port);
  assert.deepEqual([error, isSent], ["The connection failed (ECONNRESET).", true]);
});

/** One attempt at a receiver that does this with its connection. All of its connections are closed in the end. */
async function attempt(act: (socket: Socket) => void, timeoutMs: number, scheme = "http") {
  const { port, open } = await listen((socket) => act(socket.resume()));
  const answered = await post(`${scheme}://localhost:${port}/`, {}, "{}", { ...local, timeoutMs });
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

/** Attempts that end before any time limit. */
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

/** Attempts that end at the time limit only. It leaves a busy machine the time to read what the receiver sends. */
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

const shown = ({ status, error, response }: ReceiverResponse) => [status, error, response];

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
      post(`http://127.0.0.1:${port}/`, {}, body, { ...local, timeoutMs: [600_000, hangingMs][index] }),
    );
    assert.deepEqual((await Promise.all(answers)).map(shown), [[200, null, ""], late]);
  });

  test("as a failure if Node refuses to make the request", async () => {
    const wrong = await post("http://127.0.0.1:1/", { a: "\n" }, "", local);
    assert.deepEqual(shown(wrong), failure("ERR_INVALID_CHAR"));
    assert.deepEqual(shown(await post("hooks", {}, "")), failure("ERR_INVALID_URL"));
  });
});

const unresolved = "The host's name does not resolve.";

test.each([
  ["is never answered", undefined],
  ["does not exist", noSuchName],
  ["makes its server fail", serverFailure],
  ["has no address", []],
  ["is answered by garbage", Buffer.from("garbage")],
  ["is answered by nothing", Buffer.alloc(0)],
])("a name that %s neither gets a message nor a webhook", async (_case, answer) => {
  const { options } = await dnsServer(() => answer);
  const url = "https://hooks.example/";
  const [answered, problem] = await Promise.all([
    post(url, {}, "{}", { ...options, timeoutMs: 300 }),
    hostProblem(url, { ...options, timeoutMs: 300 }),
  ]);
  const { durationMs, ...outcome } = answered;
  assert.deepEqual(outcome, { status: null, error: unresolved, isSent: false, response: "", retryAfterMs: null });
  assert.equal(problem, unresolved);
});

test("an answer after the time limit changes nothing", async () => {
  const { port, connections } = await receive((_incoming, outgoing) => outgoing.end());
  let answer = (_addresses: string[]) => {};
  const late = new Promise<string[]>((resolve) => {
    answer = resolve;
  });
  const { options } = await dnsServer(({ name }) => (name === "late.example" ? late : ["127.0.0.1"]));
  const send = (host: string, timeoutMs?: number) =>
    post(`http://${host}:${port}/`, {}, "{}", { ...local, ...options, ...(timeoutMs && { timeoutMs }) });
  assert.equal((await send("late.example", 300)).error, unresolved);
  answer(["127.0.0.1"]);
  assert.equal((await send("punctual.example")).status, 200);
  assert.equal(connections(), 1);
});

test("addresses of one family suffice, whatever happens to the other's question", async () => {
  const { port } = await receive((_incoming, outgoing) => outgoing.end());
  const attempts = [noSuchName, serverFailure, undefined].map(async (answer) => {
    const { options } = await dnsServer(({ family }) => (family === 4 ? ["127.0.0.1"] : answer));
    return post(`http://hooks.example:${port}/`, {}, "{}", { ...local, ...options });
  });
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200]);
});

/** Addresses of this machine where nothing listens. */
const thousand = Array.from({ length: 1_000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`);

test("every resolved address is checked, and only the first few are connected to", async () => {
  const { port, connections } = await receive((_incoming, outgoing) => outgoing.end());
  let addresses = [...thousand];
  const { options, questions } = await dnsServer(() => addresses);
  const send = async () => {
    const { status, error } = await post(`http://hooks.example:${port}/`, {}, "{}", { ...local, ...options });
    return [status, error];
  };
  assert.deepEqual(await send(), [null, "The connection failed (ECONNREFUSED)."]);
  assert.ok(questions.some(({ isTcp }) => isTcp));
  addresses = [...thousand.slice(0, 3), "127.0.0.1"];
  assert.deepEqual(await send(), [null, "The connection failed (ECONNREFUSED)."]);
  addresses = [...thousand, "10.0.0.1"];
  assert.deepEqual(await send(), [null, "The host has no public address."]);
  assert.equal(connections(), 0);
  addresses = ["127.1.0.1", "::1", "127.0.0.1", ...thousand];
  assert.deepEqual(await send(), [200, null]);
});

test("ten names that hang do not delay the process's other names, and are given up early", async () => {
  const servers = await Promise.all(Array.from({ length: 4 }, () => dnsServer(() => undefined)));
  const options = { dnsServers: servers.flatMap(({ options }) => options.dnsServers), timeoutMs: 600_000 };
  await post("https://given-up.example/", {}, "{}", { ...options, timeoutMs: 300 });
  let ended = 0;
  const attempts = Array.from({ length: 10 }, async (_, index) => {
    const { error } = await post(`https://hooks${index}.example/`, {}, "{}", options);
    ended += 1;
    return error;
  });
  await lookup("localhost");
  assert.equal(ended, 0);
  const problem = await hostProblem("https://hooks.example/", options);
  const errors = await Promise.all(attempts);
  assert.deepEqual(new Set([problem, ...errors]), new Set([unresolved]));
  const names = servers.flatMap(({ questions }) => questions.map(({ name }) => name));
  assert.equal(new Set(names).size, 12);
  assert.equal(names.filter((name) => name === "given-up.example").length, 2);
});

test("local names are this machine's only, and no DNS server is asked for them", async () => {
  const { options, questions } = await dnsServer(() => ["8.8.8.8"]);
  for (const host of ["localhost", "hooks.localhost", "localhost.", "LOCALHOST"]) {
    assert.equal(await hostProblem(`https://${host}/`, options), "The host has no public address.", host);
    assert.equal(await hostProblem(`http://${host}/`, { ...options, ...local }), undefined, host);
  }
  assert.deepEqual(questions, []);
  assert.equal(await hostProblem("https://notlocalhost/", options), undefined);
});
