import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "@jest/globals";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";
import { ask } from "../../support/http/mcp.ts";
import { send } from "../../support/http/send.ts";
import { baseUrl, one } from "../../support/service/testedService.ts";

test("a page whose name leads to this machine cannot call the local service", async () => {
  const { port } = new URL(baseUrl);
  const key = { Authorization: `Bearer ${one.credential}` };
  for (const Host of ["attacker.example", `attacker.example:${port}`, `localhost.attacker.example:${port}`, "x/y"]) {
    for (const path of [mcp.path, "/v1/key"])
      assertProblem(await send(baseUrl + path, { headers: { Host, Origin: `http://${Host}`, ...key } }), "forbidden");
  }
  for (const Host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, "LOCALHOST"])
    assert.equal((await one.get("/v1/key", { Host })).status, 200, Host);
});

test("an assistant that disconnects during its call does not affect later calls", async () => {
  const headers = { Authorization: `Bearer ${one.credential}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_events" } });
  for (const sent of [body, body.slice(0, 40)]) {
    const outgoing = request(baseUrl + mcp.path, {
      method: "POST",
      headers: { ...headers, "Content-Length": body.length },
    });
    outgoing.on("error", () => undefined);
    await new Promise((written) => outgoing.write(sent, written));
    const closed = new Promise((settle) => outgoing.on("close", settle));
    outgoing.destroy();
    await closed;
    assert.equal((await ask(one, "tools/call", { name: "get_key" })).status, 200);
  }
});
