import assert from "node:assert/strict";
import * as z from "zod";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { assertProblem } from "./assertProblem.ts";
import type { Client } from "./client.ts";
import { textOf } from "./send.ts";

export type Members = Record<string, unknown>;

export const stateless = "2026-07-28";
export const requestMeta = {
  "io.modelcontextprotocol/protocolVersion": stateless,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends a message of an assistant. @returns the response's status and JSON. */
export async function sendMessage(caller: Client, message: object, headers = {}) {
  const answer = await caller.call(mcp, mcp.path, { body: JSON.stringify({ jsonrpc: "2.0", ...message }), headers });
  const body = textOf(answer) && JSON.parse(textOf(answer));
  if (answer.status >= 400) {
    assertProblem(answer);
    assert.equal(body.jsonrpc, "2.0");
  }
  return { status: answer.status, body };
}

/** The headers that the revision without a handshake requires. */
export function headersOf(method: string, name?: unknown) {
  return { "MCP-Protocol-Version": stateless, "Mcp-Method": method, ...(name !== undefined && { "Mcp-Name": name }) };
}

/** Sends a request of the revision without a handshake. */
export function ask(caller: Client, method: string, params: Members = {}, headers = {}) {
  const message = { id: 1, method, params: { _meta: requestMeta, ...params } };
  return sendMessage(caller, message, { ...headersOf(method, params.name), ...headers });
}

const Body = z.record(z.string(), z.unknown());

/** One text, and nothing that repeats it. */
const Result = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.undefined().optional(),
  isError: z.boolean().optional(),
});

/** Calls a tool. @returns the JSON in its only text. */
export async function useTool(caller: Client, name: string, values: Members = {}) {
  const { body } = await ask(caller, "tools/call", { name, arguments: values });
  const { content, isError = false } = Result.parse(body.result);
  return { isError, body: Body.parse(JSON.parse(content[0].text)) };
}
