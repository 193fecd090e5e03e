import * as z from "zod";
import { excerpt } from "../log/logger.ts";
import type { Problem } from "../problem.ts";
import { errorCodes, type Message, type Params, ProtocolProblem } from "./protocolMessage.ts";

/** The first revision without a handshake: each request carries what `initialize` used to negotiate. */
const statelessRevision = "2026-07-28";
/** The revisions with a handshake, the newest first. */
const handshakeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;
export const revisions: readonly string[] = [statelessRevision, ...handshakeRevisions];

/** The handshake's revision for a client that asks for this one. */
export function agreedRevision(asked: string): string {
  return handshakeRevisions.find((revision) => revision === asked) ?? handshakeRevisions[0];
}

export const RevisionHeaders = z.object({
  "mcp-protocol-version": z.string().optional(),
  "mcp-method": z.string().optional(),
  "mcp-name": z.string().optional(),
});
type RevisionHeaders = z.infer<typeof RevisionHeaders>;

const revisionKey = "io.modelcontextprotocol/protocolVersion";

export const Meta = z.looseObject(
  { progressToken: z.union([z.string(), z.int()], "Must be a string or an integer.").optional() },
  "Must be an object.",
);

/** `_meta` of each request since 2026-07-28 (https://modelcontextprotocol.io/specification/2026-07-28/basic#meta). */
const RequestMeta = Meta.extend({
  [revisionKey]: z.string("Must be a string."),
  "io.modelcontextprotocol/clientCapabilities": z.looseObject({}, "Must be an object."),
  "io.modelcontextprotocol/clientInfo": z.looseObject({}, "Must be an object.").optional(),
});

/**
 * True if a message follows the revision without a handshake. The body decides, and the headers must agree with it
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation).
 * @throws ProtocolProblem if they do not agree, if the revision is unknown, or if its request lacks what the revision requires.
 */
export function isStateless(message: Message, headers: RevisionHeaders): boolean {
  const { "mcp-protocol-version": header } = headers;
  const { [revisionKey]: inBody }: Params = Object(message.params._meta);
  if (header !== undefined && inBody !== undefined && header !== inBody)
    throw mismatch("mcp-protocol-version", `params._meta["${revisionKey}"]`);
  const revision = inBody ?? header;
  if (typeof revision === "string" && !revisions.includes(revision)) throw unsupported(revision);
  if (revision !== statelessRevision && (inBody === undefined || typeof inBody === "string")) return false;
  // The protocol defines no headers for notifications.
  if (message.id === undefined) return true;
  if (message.method === "initialize" && inBody === undefined)
    throw mismatch("mcp-protocol-version", "an earlier version, because the method is initialize");
  assertMeta(message.params._meta);
  assertHeaders(message, headers);
  return true;
}

function assertMeta(meta: unknown): void {
  const { error } = RequestMeta.safeParse(meta);
  if (!error) return;
  const errors = error.issues.map(({ path, message }) => ({
    pointer: ["/params/_meta", ...path.map((name) => String(name).replaceAll("/", "~1"))].join("/"),
    detail: message,
  }));
  const names = error.issues.map(({ path }) => ["_meta", ...path].join(" "));
  const detail = `Version ${statelessRevision} requires these members of params, which are missing or invalid: ${names.join(", ")}.`;
  throw new ProtocolProblem("invalid_request", errorCodes.invalidParams, detail, errors);
}

function assertHeaders({ method, params: { name } }: Message, headers: RevisionHeaders): void {
  if (headers["mcp-protocol-version"] === undefined)
    throw mismatch("mcp-protocol-version", `params._meta["${revisionKey}"]`);
  if (headers["mcp-method"] !== method) throw mismatch("mcp-method", "method");
  if (method !== "tools/call" || typeof name !== "string") return;
  const encoded = `=?base64?${Buffer.from(name).toString("base64")}?=`;
  if (![name, encoded].includes(headers["mcp-name"] ?? "")) throw mismatch("mcp-name", "params.name");
}

function mismatch(parameter: keyof RevisionHeaders, body: string): Problem {
  const detail = `The header ${parameter} must equal ${body}.`;
  return new ProtocolProblem("invalid_request", errorCodes.headerMismatch, detail, [{ parameter, detail }]);
}

function unsupported(requested: string): Problem {
  const detail = `The protocol version must be one of ${revisions.join(", ")}.`;
  const errors = [{ parameter: "mcp-protocol-version", detail }];
  const data = { supported: revisions, requested: excerpt(requested) };
  return new ProtocolProblem("invalid_request", errorCodes.unsupportedVersion, detail, errors, data);
}
