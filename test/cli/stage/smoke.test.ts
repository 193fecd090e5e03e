import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "@jest/globals";
import { portOf } from "../../../local/gateway/server.ts";
import { smoke } from "../support/runProgram.ts";

describe("a broken service", () => {
  let server: Server;
  let requests: number;
  let respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  beforeEach(async () => {
    requests = 0;
    server = createServer((incoming, outgoing) => {
      requests++;
      respond(incoming, outgoing);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const failuresOf = async (timeoutSeconds = 60) => {
    const options = ["--timeout", String(timeoutSeconds)];
    const { code, stdout } = await smoke(`http://127.0.0.1:${portOf(server)}`, "tsk_any", ...options);
    assert.deepEqual([code, requests], [1, 4]);
    return stdout.split("\n").slice(0, -1);
  };

  test("fails once for each request, which it does not repeat", async () => {
    respond = (_, outgoing) => outgoing.writeHead(503).end('{"code":"service_unavailable"}');
    const failures = await failuresOf();
    assert.equal(failures.length, 4);
    for (const failure of failures) assert.match(failure, /^FAIL .*: Expected status \d+, got 503: \{"code"/);
  });

  test("fails if it responds well with the wrong content", async () => {
    respond = ({ headers, url }, outgoing) => {
      const isFirst = url === "/v1/key" && headers.authorization === "Bearer tsk_any";
      const status = url === "/v1/key" && !isFirst ? 401 : 200;
      outgoing.writeHead(status, { "Content-Type": "application/json" }).end('{"data":[],"code":"forbidden"}');
    };
    const [key, list, refusal, page] = await failuresOf();
    for (const failure of [key, list, refusal])
      assert.match(failure ?? "", /^FAIL .*: The body does not match the documented schema: \{"data":\[\],/);
    assert.match(page ?? "", /^FAIL .*: Expected a page in HTML, got application\/json\.$/);
  });

  test("fails if it does not respond in time", async () => {
    respond = () => undefined;
    for (const failure of await failuresOf(1)) assert.match(failure, /^FAIL .*: No response within 1 seconds\.$/);
  });

  test("fails if it cannot be reached", async () => {
    respond = ({ socket }) => socket.destroy();
    for (const failure of await failuresOf()) assert.match(failure, /^FAIL .*: \w+: [^\n]+\.$/);
  });
});

test("the key comes from the environment, and the options are checked", async () => {
  for (const key of [undefined, "", "tsk_a\nb"]) {
    const { code, stderr } = await smoke("https://example.org", key);
    assert.deepEqual([code, stderr], [2, "Set the environment variable SMOKE_KEY to an API key of the stage.\n"]);
  }
  for (const options of [
    ["--base-url", "example"],
    ["--timeout", "0"],
    ["--key", "tsk_a"],
  ]) {
    const { code, stderr } = await smoke("https://example.org", "tsk_a", ...options);
    assert.equal(code, 2);
    assert.match(stderr, /^[^\n]+ See [^\n]+ -- --help\.\n$/);
  }
});
