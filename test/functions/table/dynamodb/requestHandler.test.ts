import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, test } from "@jest/globals";
import { HttpRequest } from "@smithy/core/protocols";
import { requestHandler } from "../../../../functions/table/client.ts";

const patienceMs = 100;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(answer: RequestListener): Promise<{ server: Server; request: HttpRequest }> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push(server);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    server,
    request: new HttpRequest({
      protocol: "http:",
      hostname: "127.0.0.1",
      port,
      path: "/",
      method: "POST",
      headers: { "x-amz-target": "x" },
      body: "{}",
    }),
  };
}

test("a response in many pieces becomes one buffer, and the next request uses the same connection", async () => {
  const { server, request } = await serve((incoming, outgoing) => {
    incoming.on("data", (chunk) => outgoing.write(chunk));
    incoming.on("end", () => {
      for (const piece of ["ä", "ö", "ü".repeat(100_000)]) outgoing.write(piece);
      outgoing.end();
    });
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const handler = requestHandler(30_000);
  for (const _again of [1, 2, 3]) {
    const { response } = await handler.handle(request);
    assert.equal(response.statusCode, 200);
    assert.equal(String(response.body), `{}äö${"ü".repeat(100_000)}`);
  }
  assert.equal(connections, 1);
  handler.destroy();
});

test("a server that never responds, or never ends its response, causes a TimeoutError", async () => {
  const silent: RequestListener = () => undefined;
  const dripping: RequestListener = (_incoming, outgoing) => {
    outgoing.writeHead(200);
    const drip = setInterval(() => outgoing.write("x"), patienceMs / 10);
    outgoing.on("close", () => clearInterval(drip));
  };
  for (const answer of [silent, dripping]) {
    const { request } = await serve(answer);
    await assert.rejects(requestHandler(patienceMs).handle(request), { name: "TimeoutError" });
  }
});

test("a refused or interrupted connection causes an error with its code", async () => {
  const { server, request } = await serve((_incoming, outgoing) => {
    outgoing.writeHead(200, { "Content-Length": 100 });
    outgoing.write("half", () => outgoing.destroy());
  });
  const handler = requestHandler(30_000);
  await assert.rejects(handler.handle(request), { code: "ECONNRESET" });
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  await assert.rejects(handler.handle(request), { code: "ECONNREFUSED" });
});
