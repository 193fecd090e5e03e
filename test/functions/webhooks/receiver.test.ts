import assert from "node:assert/strict";
import { afterEach, describe, test } from "@jest/globals";
import { isPublic } from "../../../functions/webhooks/publicAddress.ts";
import { hostProblem, post } from "../../../functions/webhooks/receiver.ts";
import { closeServers, dnsServer, listen, receive } from "../../support/webhooks/localServers.ts";

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

  test("that a name resolves to is not connected to, even among public ones, and no webhook is created for it", async () => {
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

describe("the local service", () => {
  test("reaches this machine over http, by address and by name, and no other machine", async () => {
    const { port, paths } = await receive((_incoming, outgoing) => outgoing.writeHead(204).end());
    for (const host of ["127.0.0.1", "localhost", "hooks.localhost"])
      assert.equal((await post(`http://${host}:${port}/a`, {}, "{}", local)).status, 204, host);
    assert.deepEqual(paths, ["/a", "/a", "/a"]);
    for (const host of ["10.0.0.1", "169.254.169.254", "8.8.8.8"])
      assert.equal((await post(`http://${host}/`, {}, "{}", local)).error, notPublic);
    assert.equal((await post(`http://127.0.0.1:${port}/`, {}, "{}")).error, "Must be an https URL.");
  });
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

describe("a receiver without a response", () => {
  test("that is not there is reported", async () => {
    const { status, error, isSent, response } = await send(1);
    assert.deepEqual([status, error, isSent, response], [null, "The connection failed (ECONNREFUSED).", false, ""]);
  });

  test("may have the message although it does not respond", async () => {
    const { port } = await receive(async (incoming, outgoing) => {
      await incoming.toArray();
      outgoing.destroy();
    });
    const { status, error, isSent } = await send(port);
    assert.deepEqual([status, error, isSent], [null, "The connection failed (ECONNRESET).", true]);
  });
});
