import assert from "node:assert/strict";
import { beforeEach, jest, test } from "@jest/globals";
import fc from "fast-check";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { logger } from "../../../functions/log/logger.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { renderError } from "../../../functions/mcp/protocolMessage.ts";
import { tools } from "../../../functions/mcp/tools.ts";
import { Problem } from "../../../functions/problem.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { invoke } from "../../support/http/invoke.ts";
import { requestMeta } from "../../support/http/mcp.ts";
import { cases } from "../../support/jest/cases.ts";

beforeEach(() => useTestTable());

/** Calls a tool. @returns the response and the line of the log. */
async function call(name: string, values: object) {
  const info = jest.spyOn(logger, "info").mockImplementation(() => undefined);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } };
  const response = await invoke(mcp, { body: JSON.stringify(message) });
  return { response, line: Object(info.mock.calls.find(([text]) => text === "request")?.[1]) };
}

test("a tool's call is logged as its operation, with what it read, and does not count as a change", async () => {
  await putRecords([eventRecord(1, 7)]);
  const { line } = await call("get_record", { event_id: 7 });
  assert.deepEqual(
    [line.operation_id, line.status, line.dynamodb.calls, typeof line.key_id, line.changes],
    ["getEvent", 200, { GetItem: 1 }, "string", undefined],
  );
});

test("a refused call returns 200, and its log line has the operation's status and the arguments' names", async () => {
  const { response, line } = await call("get_record", { event_id: 8 });
  assert.equal(response.statusCode, 200);
  assert.deepEqual(
    [line.operation_id, line.status, line.code, line.method, line.path],
    ["getEvent", 404, "not_found", "GET", "/v1/events/8"],
  );
});

test("a refused argument that looks like a filter is logged without what a client wrote", async () => {
  const secret = `tsk_${"A1".repeat(20)}b`;
  const { response, line } = await call("list_orders", { [`email_${secret}`]: "ada@example.org", Email: 1 });
  assert.doesNotMatch(response.body, new RegExp(`${secret}|ada@`));
  assert.deepEqual([line.status, line.parameters], [400, ["(unknown name)", "(unknown name)"]]);
  assert.doesNotMatch(JSON.stringify(line), /A1A1|ada@/);
});

test("invalid arguments are logged by their declared names", async () => {
  const { line: invalid } = await call("list_orders", { per_page: "five", reference: 7, tsk_secret: 1 });
  assert.deepEqual(
    [invalid.operation_id, invalid.status, invalid.path, invalid.parameters],
    ["mcp", 400, "/mcp", ["per_page", "reference"]],
  );
});

test("unknown arguments are ignored, and the result names them without secrets", async () => {
  const secret = `tsk_${"A1".repeat(20)}b`;
  const { response } = await call("list_events", { toolCallId: "7", _sessionID: 1, [secret]: 1, per_page: 1 });
  const { content, isError } = JSON.parse(response.body).result;
  assert.equal(isError, undefined);
  assert.equal(JSON.parse(content[0].text).ignored_arguments, "toolCallId, _sessionID, [redacted]");
});

/** Each selects the same page as the arguments after it. */
const spellings: [string, object, object][] = [
  [
    "list_orders",
    { per_page: 1, cursor: null, reference: null, email: null, expand: null, date_id: null },
    { per_page: 1 },
  ],
  ["list_orders", { per_page: 1, cursor: "", email: "", expand: "" }, { per_page: 1 }],
  ["list_events", { per_page: "1" }, { per_page: 1 }],
  ["get_record", { event_id: "7", date_id: null }, { event_id: 7 }],
  ["list_orders", { expand: "tickets" }, { expand: ["tickets"] }],
  ["list_orders", { expand: "tickets, payments" }, { expand: ["tickets", "payments"] }],
  ["list_orders", { expand: '["tickets"]' }, { expand: ["tickets"] }],
  ["list_changes", { types: "order" }, { types: ["order"] }],
  ["list_orders", { fields: ["email", "phone"] }, { fields: "email,phone" }],
  ["list_events", { per_page: 0 }, {}],
];

test.each(spellings)("arguments are read as clients send them: %s %j", async (name, given, meant) => {
  await putRecords([eventRecord(1, 7), orderRecord(1, 7)]);
  const [one, other] = [await call(name, given), await call(name, meant)];
  assert.equal(JSON.parse(one.response.body).result.isError, undefined, one.response.body);
  assert.equal(one.response.body, other.response.body);
});

for (const [what, error, status, retryAfter] of [
  ["an outage", Object.assign(new Error("busy"), { name: "ThrottlingException" }), 503, "5"],
  ["a fault of ours", new Error("our fault"), 500, undefined],
] as const) {
  test(`${what} is ${status}, so that alarms and clients see it`, async () => {
    jest.spyOn(logger, "error").mockImplementation(() => undefined);
    interceptCalls(() => Promise.reject(error));
    const { response, line } = await call("get_record", { event_id: 7 });
    assert.deepEqual([response.statusCode, response.headers?.["Retry-After"]], [status, retryAfter]);
    assert.deepEqual([line.operation_id, line.status], ["getEvent", status]);
    assert.doesNotMatch(response.body, /busy|our fault/);
    const { jsonrpc, id, error: sent } = JSON.parse(response.body);
    assert.deepEqual([jsonrpc, id, sent.code, sent.data.status], ["2.0", 1, -32_603, status]);
    assert.equal(sent.message.endsWith(" Wait 5 seconds."), retryAfter === "5");
  });
}

test("a rate limit is an error that says how long to wait", () => {
  const problem = new Problem("rate_limited", "Too many requests.");
  const response = renderError(problemResponse(problem, "r1"), problem, '{"id":"a"}');
  assert.deepEqual([response.statusCode, response.headers["Retry-After"]], [429, "5"]);
  const { id, error: sent } = JSON.parse(response.body);
  assert.deepEqual([id, sent.message, sent.data.code], ["a", "Too many requests. Wait 5 seconds.", "rate_limited"]);
});

const anyText = fc.constantFrom(
  "tools/list",
  "tools/call",
  "initialize",
  "server/discover",
  "2026-07-28",
  "2025-11-25",
);
const anyMeta = fc.dictionary(fc.constantFrom(...Object.keys(requestMeta), "progressToken", "__proto__"), anyValue());

function anyValue() {
  return fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 }));
}

const anyMessage = fc.record({
  method: fc.oneof(anyText, fc.string()),
  params: fc.oneof(
    fc.record(
      {
        name: fc.oneof(fc.constantFrom(...Object.keys(tools)), anyValue()),
        arguments: anyValue(),
        _meta: fc.oneof(anyMeta, anyValue()),
      },
      { requiredKeys: [] },
    ),
    anyValue(),
  ),
});
const anyHeaders = fc.dictionary(fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name"), anyText);

test("no message makes the service fail, and each gets its id back", async () => {
  jest.spyOn(logger, "info").mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(anyMessage, anyHeaders, async (message, headers) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: "a", ...message });
      const response = await invoke(mcp, { headers: { "Content-Type": "application/json", ...headers }, body });
      assert.ok(response.statusCode < 500, response.body);
      assert.equal(JSON.parse(response.body).id, "a", response.body);
    }),
    { numRuns: cases(300, 3_000) },
  );
});
