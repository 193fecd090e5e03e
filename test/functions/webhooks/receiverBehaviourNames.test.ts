import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, test } from "@jest/globals";
import { hostProblem, post } from "../../../functions/webhooks/receiver.ts";
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
const unresolved = "The host's name does not resolve.";

/** @throws if it does not settle, long after any time limit of these tests. */
async function settled<Result>(attempt: Promise<Result>): Promise<Result> {
  const end = new Promise<never>((_resolve, reject) => setTimeout(reject, 10_000, new Error("never settles")).unref());
  return Promise.race([attempt, end]);
}

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
    settled(post(url, {}, "{}", { ...options, timeoutMs: 300 })),
    settled(hostProblem(url, { ...options, timeoutMs: 300 })),
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
    settled(post(`http://${host}:${port}/`, {}, "{}", { ...local, ...options, ...(timeoutMs && { timeoutMs }) }));
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
  const statuses = (await settled(Promise.all(attempts))).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200]);
});

/** Addresses of this machine where nothing listens. */
const thousand = Array.from({ length: 1_000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`);

test("of a thousand addresses, all are checked and only the first are tried", async () => {
  const { port, connections } = await receive((_incoming, outgoing) => outgoing.end());
  let addresses = [...thousand];
  const { options, questions } = await dnsServer(() => addresses);
  const send = async () => {
    const { status, error } = await settled(post(`http://hooks.example:${port}/`, {}, "{}", { ...local, ...options }));
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

test("an address that cannot be connected to at once is reported", async () => {
  // A broadcast address: Linux refuses it before any packet is sent.
  const { options } = await dnsServer(() => ["127.255.255.255"]);
  const { error } = await settled(post("https://hooks.example:9/", {}, "{}", { ...local, ...options }));
  assert.match(String(error), /^The connection failed \([A-Z]+\)\.$/);
});

test("a name with an IPv6 address only is connected to by it", async () => {
  const { options } = await dnsServer(() => ["::1"]);
  const { error } = await settled(post("https://hooks.example:1/", {}, "{}", { ...local, ...options }));
  // Where nothing listens, or on a machine without IPv6.
  assert.match(String(error), /\((ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EAFNOSUPPORT)\)/);
});

test("ten names that hang do not delay the process's other names, and are given up long before an attempt's end", async () => {
  const servers = await Promise.all(Array.from({ length: 4 }, () => dnsServer(() => undefined)));
  const options = { dnsServers: servers.flatMap(({ options }) => options.dnsServers), timeoutMs: 600_000 };
  await post("https://given-up.example/", {}, "{}", { ...options, timeoutMs: 300 });
  let ended = 0;
  const attempts = Array.from({ length: 10 }, async (_, index) => {
    const { error } = await post(`https://hooks${index}.example/`, {}, "{}", options);
    ended += 1;
    return error;
  });
  await settled(lookup("localhost"));
  assert.equal(ended, 0);
  const problem = await settled(hostProblem("https://hooks.example/", options));
  const errors = await settled(Promise.all(attempts));
  assert.deepEqual(new Set([problem, ...errors]), new Set([unresolved]));
  const names = servers.flatMap(({ questions }) => questions.map(({ name }) => name));
  assert.equal(new Set(names).size, 12);
  assert.equal(names.filter((name) => name === "given-up.example").length, 2);
});

test("the time that a name takes is part of the attempt's", async () => {
  const { port } = await listen((socket) => void socket.resume());
  const { options } = await dnsServer(async ({ name }) => {
    if (name === "never.example") return undefined;
    await wait(700);
    return ["127.0.0.1"];
  });
  const ended: string[] = [];
  const attempts = Object.entries({ "127.0.0.1": 1_350, "slow.example": 1_000, "never.example": 1_000 }).map(
    async ([host, timeoutMs]) => {
      await post(`http://${host}:${port}/`, {}, "{}", { ...local, ...options, timeoutMs });
      ended.push(host);
    },
  );
  await settled(Promise.all(attempts));
  assert.equal(ended.at(-1), "127.0.0.1");
});

test("a hundred attempts at once at names that hang end", async () => {
  const { options } = await dnsServer(() => undefined);
  const url = "https://hooks.example/";
  const attempts = Array.from({ length: 100 }, () => post(url, {}, "{}", { ...options, timeoutMs: 300 }));
  const errors = (await settled(Promise.all(attempts))).map(({ error }) => error);
  assert.deepEqual(new Set(errors), new Set([unresolved]));
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
