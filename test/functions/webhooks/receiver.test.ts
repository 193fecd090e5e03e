import assert from "node:assert/strict";
import type { lookup as resolveName } from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, describe, test } from "@jest/globals";
import { isPublic, maximumResponseBytes, post } from "../../../functions/webhooks/receiver.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on the loopback interface. @returns its port, and how many connections it got. */
async function listen(onConnection: (socket: Socket) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // The listening server has an address with a port.
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** An HTTP receiver. @returns its port, and the paths that were requested. */
async function receive(respond: RequestListener) {
  const paths: string[] = [];
  const http = createServer((incoming, outgoing) => {
    paths.push(String(incoming.url));
    respond(incoming, outgoing);
  });
  const { port, connections } = await listen((socket) => http.emit("connection", socket));
  return { port, connections, paths };
}

/** Resolves every name to these addresses, in turn. @returns how often it was asked, too. */
function resolving(...turns: string[][]) {
  let asked = 0;
  const lookup = ((_name: string, _options: object, callback: (error: null, addresses: object[]) => void) => {
    const addresses = turns[Math.min(asked++, turns.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as typeof resolveName;
  return { lookup, asked: () => asked };
}

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

  test("that a name resolves to is not connected to, even among public ones", async () => {
    const { port, connections } = await listen((socket) => socket.end());
    for (const address of privateAddresses)
      for (const addresses of [[address], ["8.8.8.8", address], [address, "2600:1f18::1"]]) {
        const { error } = await post(`https://hooks.example:${port}/`, {}, "{}", resolving(addresses));
        assert.equal(error, notPublic, addresses.join());
      }
    const nothing = await post(`https://hooks.example:${port}/`, {}, "{}", resolving([]));
    assert.equal(nothing.error, notPublic);
    assert.equal(connections(), 0);
  });

  test("is the one that was checked: a name is resolved once", async () => {
    const { port } = await receive((_incoming, outgoing) => outgoing.end("ok"));
    const rebinding = resolving(["127.0.0.1"], ["10.0.0.1"]);
    const { status } = await post(`http://hooks.example:${port}/`, {}, "{}", { ...local, ...rebinding });
    assert.deepEqual([status, rebinding.asked()], [200, 1]);
  });
});

describe("the local service", () => {
  test("reaches this machine over http, by address and by name, and no other machine", async () => {
    const { port, paths } = await receive((_incoming, outgoing) => outgoing.writeHead(204).end());
    for (const host of ["127.0.0.1", "localhost"])
      assert.equal(
        (await post(`http://${host}:${port}/a`, {}, "{}", { ...local, ...resolving(["127.0.0.1"]) })).status,
        204,
      );
    assert.deepEqual(paths, ["/a", "/a"]);
    for (const host of ["10.0.0.1", "169.254.169.254", "8.8.8.8"])
      assert.equal((await post(`http://${host}/`, {}, "{}", local)).error, notPublic);
    assert.equal((await post(`http://127.0.0.1:${port}/`, {}, "{}")).error, "The URL is not https.");
  });
});

const send = (port: number, timeoutMs = 20_000) =>
  post(`http://127.0.0.1:${port}/hook`, { "webhook-id": "msg_1" }, '{"é":1}', { ...local, timeoutMs });

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

  test("that answers endlessly is read to 1 KB, and the connection is closed", async () => {
    let isClosed: Promise<unknown> | undefined;
    const { port } = await receive((_incoming, outgoing) => {
      isClosed = once(outgoing, "close");
      const write = () => outgoing.destroyed || outgoing.write("x".repeat(700), () => setImmediate(write));
      write();
    });
    const { status, response } = await send(port);
    assert.deepEqual([status, response.length], [200, maximumResponseBytes]);
    await isClosed;
  });
});

describe("a faulty receiver", () => {
  test("that does not answer in time, or not completely, does not hold anything up", async () => {
    const silent = await listen(() => undefined);
    const { status, error, durationMs } = await send(silent.port, 300);
    assert.deepEqual([status, error], [null, "No response within 0.3 seconds."]);
    assert.ok(durationMs >= 290);
    const begun = await listen((socket) => socket.write("HTTP/1.1 200 OK\r\nX-A: 1\r\n"));
    assert.equal((await send(begun.port, 300)).status, null);
    const partial = await listen((socket) => socket.write("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf"));
    const half = await send(partial.port, 300);
    assert.deepEqual([half.status, half.response], [500, "half"]);
  });

  test("that closes the connection, answers garbage or is not there is reported without its words", async () => {
    const closing = await listen((socket) => socket.destroy());
    const garbage = await listen((socket) => socket.end("<script>secret</script>\r\n\r\n"));
    for (const port of [closing.port, garbage.port, 1]) {
      const { status, error, response } = await send(port);
      assert.deepEqual([status, response], [null, ""]);
      assert.match(String(error), /^The connection failed \([A-Z_0-9]+\)\.$/);
    }
  });

  test("whose certificate is not valid gets nothing", async () => {
    const { port, connections } = await listen((socket) => socket.end("not TLS"));
    const { error } = await post(`https://localhost:${port}/`, {}, "{}", { ...local, ...resolving(["127.0.0.1"]) });
    assert.match(String(error), /^The connection failed/);
    assert.equal(connections(), 1);
  });
});
