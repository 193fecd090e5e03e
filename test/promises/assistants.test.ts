import assert from "node:assert/strict";
import { beforeAll, describe, test } from "@jest/globals";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/index.ts";
import { mcp } from "../../functions/mcp/mcp.ts";
import { argumentsOf, tools } from "../../functions/mcp/tools.ts";
import { maximumPerPage } from "../../functions/resources/page.ts";
import { allIdsFor, examplePaths, hasId, unknownIdFor } from "../support/http/examples.ts";
import { ask, type Members, sendMessage, useTool } from "../support/http/mcp.ts";
import { baseUrl, changesShown, one, two } from "../support/service/testedService.ts";

/** The arguments with which a tool returns the API's own page. */
function wholeOf(name: string): Members {
  const { [name]: tool = assert.fail() } = tools;
  const all = { per_page: 50, fields: "all" };
  return Object.fromEntries(Object.entries(all).filter(([argument]) => argument in argumentsOf(tool)));
}

/** The tool that calls an operation, and the argument that selects it. */
function toolOf(operationId: string) {
  for (const [name, { operations }] of Object.entries(tools))
    for (const [selector, operation] of Object.entries(operations))
      if (operation.operationId === operationId) return { name, selector };
  return assert.fail(`No tool calls ${operationId}.`);
}

beforeAll(changesShown);

describe("a tool", () => {
  for (const endpoint of endpoints.filter(({ method, caller }) => method === "GET" && caller.scheme === "apiKey")) {
    const { operationId } = endpoint;
    const { name, selector } = toolOf(operationId);

    test(`${name} returns the response of ${operationId}`, async () => {
      for (const caller of [one, two]) {
        const [path = ""] = await examplePaths(endpoint, caller);
        const [, id] = /^\/v1\/[a-z-]+\/(\d+)/.exec(path) ?? [];
        const values = id === undefined ? {} : { [selector]: Number(id) };
        const query = Object.fromEntries(new URL(path, baseUrl).searchParams);
        const { isError, body } = await useTool(caller, name, { ...wholeOf(name), ...values, ...query });
        assert.equal(isError, false);
        assert.deepEqual(body, await caller.json(path));
      }
    });

    if (!hasId(endpoint)) continue;
    test(`${name} finds nothing of another organisation by ${operationId}`, async () => {
      for (const [caller, other] of [
        [one, two],
        [two, one],
      ] as const) {
        const own = new Set(await allIdsFor(endpoint, caller));
        const foreign = (await allIdsFor(endpoint, other)).find((one) => !own.has(one));
        const unknown = await useTool(caller, name, { [selector]: Number(unknownIdFor(endpoint)) });
        assert.deepEqual([unknown.isError, unknown.body.code], [true, "not_found"]);
        assert.deepEqual(await useTool(caller, name, { [selector]: foreign }), unknown);
      }
    });
  }

  test("lists 16 tools at most, which only read, in less than 1,600 tokens of four bytes", async () => {
    const { tools: listed }: { tools: { name: string; annotations: Members }[] } = (await ask(one, "tools/list")).body
      .result;
    assert.deepEqual(
      listed.map(({ name }) => name),
      Object.keys(tools),
    );
    assert.ok(listed.every(({ annotations }) => annotations.readOnlyHint === true));
    const forModels = listed.map(({ annotations: _, ...tool }) => tool);
    assert.ok(listed.length <= 16 && JSON.stringify(forModels).length < 6_400);
  });
});

const send = (message: object, headers = {}) => sendMessage(one, message, headers);

const organisationIn = (body: Members) => JSON.parse(Object(body).result.content[0].text).organisation_id;

describe("POST /mcp", () => {
  test("accepts a notification with 202 and no body", async () => {
    for (const headers of [{}, { "MCP-Protocol-Version": "2025-11-25" }, { "MCP-Protocol-Version": "2026-07-28" }])
      assert.deepEqual(await send({ method: "notifications/initialized" }, headers), { status: 202, body: "" });
  });

  test("processes a request for a task, which it does not offer, as any other", async () => {
    const { status, body } = await send({ id: 1, method: "tools/call", params: { name: "get_key", task: { ttl: 1 } } });
    assert.deepEqual([status, organisationIn(body)], [200, 1], JSON.stringify(body));
  });

  test("agrees on a version of the protocol", async () => {
    for (const [asked, agreed] of [
      ["2025-06-18", "2025-06-18"],
      ["1999-01-01", "2025-11-25"],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "x", version: "1" } };
      assert.equal((await send({ id: 1, method: "initialize", params })).body.result.protocolVersion, agreed);
    }
  });

  test("needs no Accept header", async () => {
    assert.equal((await send({ id: 1, method: "ping" }, { Accept: "*/*" })).status, 200);
  });
});

describe("a bad call of POST /mcp", () => {
  test("is refused if it is a batch, or a message that is also a response", async () => {
    const { id, ...message } = { id: 1, jsonrpc: "2.0", method: "ping" };
    for (const body of [[{ ...message, id }], { ...message, id, result: {} }, { id, jsonrpc: "2.0", result: {} }])
      assert.equal((await one.call(mcp, mcp.path, { body: JSON.stringify(body) })).status, 400);
  });

  test("gets errors of the protocol for unknown methods and tools, and for params of wrong types", async () => {
    for (const [method, params, code] of [
      ["resources/list", {}, -32_601],
      ["tools/call", { name: "nothing" }, -32_602],
      ["tools/call", { name: "constructor" }, -32_602],
      ["tools/call", { name: 7 }, -32_602],
      ["tools/call", { name: "get_key", arguments: [1] }, -32_602],
      ["initialize", {}, -32_602],
    ] as const) {
      const { status, body } = await send({ id: "a", method, params });
      assert.deepEqual([status, body.id, body.error.code], [200, "a", code], JSON.stringify(body));
      assert.ok(!body.error.message.includes("{"), body.error.message);
    }
  });

  test("gets each invalid argument by name, or which of several ids it needs", async () => {
    for (const [name, values, ...parameters] of [
      ["list_orders", { per_page: "five" }, "per_page"],
      ["list_orders", { per_page: maximumPerPage + 1 }, "per_page"],
      ["list_orders", { reference: 7, expand: [1], cursor: true }, "cursor", "reference", "expand"],
      ["list_orders", { expand: ["nothing"] }, "expand"],
      ["list_orders", { date_id: 1, reference: "a" }, "reference"],
      ["list_orders", { __proto__: null, date_id: 1.5 }, "date_id"],
      ["list_tickets", { barcode: 7001420080132 }, "barcode"],
      ["get_record", { event_id: 1, date_id: 1 }],
      ["get_record", {}],
      ["get_order", {}],
    ] as const) {
      const { isError, body } = await useTool(one, name, values);
      assert.deepEqual([isError, body.code], [true, "invalid_request"], name);
      const errors = z.array(z.looseObject({ parameter: z.string() })).parse(body.errors ?? []);
      const named = errors.map(({ parameter }) => parameter);
      assert.deepEqual(named, parameters, JSON.stringify(body));
      if (parameters.length === 0) assert.match(String(body.detail), /(event|order)_id/);
    }
  });
});

describe("a message of POST /mcp", () => {
  test("gets an error of the protocol for a _meta of the wrong kind", async () => {
    for (const method of ["ping", "tools/list", "tools/call", "initialize"])
      for (const _meta of [
        null,
        "x",
        1,
        [],
        true,
        { progressToken: true },
        { progressToken: 1.5 },
        { progressToken: {} },
      ]) {
        const { status, body } = await send({ id: 1, method, params: { _meta } });
        assert.deepEqual([status, body.error?.code], [200, -32_602], JSON.stringify([method, _meta, body]));
      }
  });

  test("is refused if the Origin header names another site", async () => {
    for (const Origin of ["https://attacker.example", "null", "http://localhost:1"])
      assert.equal((await send({ id: 1, method: "ping" }, { Origin })).status, 403);
    const { origin } = new URL(baseUrl);
    assert.equal((await send({ id: 1, method: "ping" }, { Origin: origin })).status, 200);
  });

  test("may lack params and arguments as null or an empty list", async () => {
    for (const params of [null, []])
      assert.equal((await send({ id: 1, method: "tools/list", params })).body.error, undefined);
    for (const values of [null, []]) {
      const { body } = await send({ id: 1, method: "tools/call", params: { name: "get_key", arguments: values } });
      assert.equal(body.result?.isError, undefined, JSON.stringify(body));
      assert.ok(body.result);
    }
  });
});
