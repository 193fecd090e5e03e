import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { mcp } from "../../functions/mcp/mcp.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { withId } from "../support/http/examples.ts";
import { ask, headersOf, requestMeta, sendMessage, stateless } from "../support/http/mcp.ts";
import { textOf } from "../support/http/send.ts";
import { adminOne, baseUrl, createKey, one } from "../support/service/testedService.ts";

const earlier = "2025-11-25";
const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

const call = { name: "get_key", arguments: {} };
const serverInfo = { name: "ticketing-api", version: "1" };
const complete = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } };
const cacheable = { ttlMs: 300_000, cacheScope: "private" };

describe(`version ${stateless} of the protocol`, () => {
  test("gets a tool's result with its first request", async () => {
    const { status, body } = await ask(one, "tools/call", call);
    const { content, ...result } = body.result;
    assert.deepEqual([status, JSON.parse(content[0].text).organisation_id, result], [200, 1, complete]);
  });

  test("gets lists that a client may keep for itself", async () => {
    const { tools, ...listed } = (await ask(one, "tools/list")).body.result;
    const { instructions, ...discovered } = (await ask(one, "server/discover")).body.result;
    assert.ok(tools.length > 0 && instructions.length > 0);
    assert.deepEqual(listed, { ...complete, ...cacheable });
    const { supportedVersions, capabilities, ...rest } = discovered;
    assert.deepEqual([supportedVersions.slice(0, 2), capabilities], [[stateless, earlier], { tools: {} }]);
    assert.deepEqual(rest, { ...complete, ...cacheable });
  });

  test("gets 404 for a method that it does not have", async () => {
    for (const method of ["initialize", "ping", "resources/list", "subscriptions/listen", "constructor"]) {
      const { status, body } = await ask(one, method, { protocolVersion: earlier });
      assert.deepEqual([status, body.id, body.error.code], [404, 1, -32_601], method);
    }
  });
});

describe(`a request of version ${stateless}`, () => {
  test("is refused by the name of a header that is missing or contradicts the body", async () => {
    const named = { id: 1, method: "tools/call", params: { ...call, _meta: requestMeta } };
    const right = headersOf("tools/call", call.name);
    for (const [header, value] of [
      ["MCP-Protocol-Version", undefined],
      ["MCP-Protocol-Version", earlier],
      ["Mcp-Method", undefined],
      ["Mcp-Method", "tools/list"],
      ["Mcp-Method", "TOOLS/CALL"],
      ["Mcp-Name", undefined],
      ["Mcp-Name", "get_order"],
      ["Mcp-Name", "=?base64?x?="],
    ] as const) {
      const { [header]: _, ...others } = right as Record<string, unknown>;
      const headers = { ...others, ...(value !== undefined && { [header]: value }) };
      const { status, body } = await sendMessage(one, named, headers);
      assert.deepEqual([status, body.error.code], [400, -32_020], JSON.stringify([header, value, body]));
      assert.equal(body.error.data.errors[0].parameter, header.toLowerCase());
    }
    const encoded = { ...right, "Mcp-Name": `=?base64?${btoa(call.name)}?=` };
    assert.equal((await sendMessage(one, named, encoded)).status, 200);
  });

  test("is refused by the name of what _meta lacks or has in another form", async () => {
    const { [capabilitiesKey]: _, ...withoutCapabilities } = requestMeta;
    for (const [_meta, pointer] of [
      [undefined, ""],
      [null, ""],
      [[], ""],
      ["x", ""],
      [{ [capabilitiesKey]: {} }, `/${versionKey}`],
      [withoutCapabilities, `/${capabilitiesKey}`],
      [{ ...requestMeta, [capabilitiesKey]: "x" }, `/${capabilitiesKey}`],
      [{ ...requestMeta, "io.modelcontextprotocol/clientInfo": 7 }, "/io.modelcontextprotocol/clientInfo"],
      [{ ...requestMeta, progressToken: 1.5 }, "/progressToken"],
    ] as const) {
      const { status, body } = await ask(one, "tools/list", { _meta });
      assert.deepEqual([status, body.error.code], [400, -32_602], JSON.stringify([_meta, body]));
      const expected = `/params/_meta${pointer.replace(/(?<=.)\//, "~1")}`;
      assert.equal(body.error.data.errors[0].pointer, expected, JSON.stringify(body));
    }
  });
});

describe("earlier versions of the protocol", () => {
  test("get results without members of later ones, with or without the header", async () => {
    for (const headers of [{}, { "MCP-Protocol-Version": earlier }, { "MCP-Protocol-Version": "2024-11-05" }]) {
      const { status, body } = await sendMessage(one, { id: "a", method: "tools/list" }, headers);
      assert.deepEqual([status, body.id, Object.keys(body.result)], [200, "a", ["tools"]]);
    }
  });

  test("are also chosen by the body", async () => {
    const params = { ...call, _meta: { [versionKey]: earlier } };
    const { body } = await sendMessage(one, { id: 1, method: "tools/call", params });
    assert.deepEqual(Object.keys(body.result), ["content"]);
  });

  test("have a handshake, which is refused in the current version", async () => {
    const params = { protocolVersion: earlier, capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const { status, body } = await sendMessage(one, { id: 1, method: "initialize", params }, headersOf("initialize"));
    assert.deepEqual([status, body.error.code], [400, -32_020]);
  });
});

test("an unknown version of the protocol is refused with the known ones", async () => {
  const requested = "2099-01-01";
  const params = { _meta: { ...requestMeta, [versionKey]: requested } };
  for (const [method, sent, headers] of [
    ["ping", {}, { "MCP-Protocol-Version": requested }],
    ["tools/list", params, { ...headersOf("tools/list"), "MCP-Protocol-Version": requested }],
    ["tools/list", params, {}],
  ] as const) {
    const { status, body } = await sendMessage(one, { id: 1, method, params: sent }, headers);
    const { supported, ...data } = body.error.data;
    assert.deepEqual([status, body.error.code, data.requested], [400, -32_022, requested]);
    assert.deepEqual(supported.slice(0, 2), [stateless, earlier]);
  }
});

const valid = JSON.stringify({ jsonrpc: "2.0", id: "a", method: "tools/list" });

test("an error status of POST /mcp has a JSON-RPC error with the request's id, the problem and its detail", async () => {
  for (const [body, headers, code, id, rpcCode] of [
    ["{", {}, "invalid_request", undefined, -32_700],
    [`[${valid}]`, {}, "invalid_request", undefined, -32_600],
    ['{"jsonrpc":"2.0","id":7,"method":1}', {}, "invalid_request", 7, -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, "invalid_request", undefined, -32_600],
    [valid, { Origin: "https://attacker.example" }, "forbidden", "a", -32_600],
    [valid, { "Content-Type": "text/plain" }, "unsupported_media_type", "a", -32_600],
    [valid.padEnd(1_000_000), {}, "payload_too_large", undefined, -32_600],
  ] as const) {
    const answer = await one.call(mcp, mcp.path, { body, headers });
    const { detail } = assertProblem(answer, code);
    const { error, ...message } = JSON.parse(textOf(answer));
    assert.deepEqual(message, { jsonrpc: "2.0", ...(id !== undefined && { id }) });
    assert.deepEqual([error.code, error.message], [rpcCode, detail]);
  }
});

test("a key that is revoked between two calls is refused at once", async () => {
  const { key, id } = await createKey(adminOne, { name: "Assistant", scopes: ["read"] });
  const assistant = clientOf(baseUrl, key);
  assert.equal((await ask(assistant, "tools/call", call)).status, 200);
  await adminOne.call(revokeApiKey, withId(revokeApiKey, id));
  const answer = await assistant.call(mcp, mcp.path);
  assertProblem(answer, "unauthorized");
  assert.equal(answer.headers["www-authenticate"], 'Bearer realm="ticketing", error="invalid_token"');
});
