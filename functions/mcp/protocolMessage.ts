import * as z from "zod";
import { isReadable } from "../api/parseRequest.ts";
import type { ErrorResponse } from "../api/response.ts";
import { parseJson } from "../parseJson.ts";
import { type InvalidValue, Problem, type ProblemCode } from "../problem.ts";
import { text } from "../resources/fields.ts";

const Id = z.union([z.string(), z.int()], "Must be a string or an integer.");

/** A JSON-RPC request or notification. Lists of messages, which the protocol dropped in 2025-06-18, are refused. */
export const Message = z
  .strictObject({
    jsonrpc: z.literal("2.0", 'Must be "2.0".'),
    id: Id.optional(),
    method: text(1, 100),
    // Some clients send null or an empty list for none.
    params: z
      .union([z.looseObject({}), z.null(), z.array(z.never())], "Must be an object.")
      .transform((params): Params => (params === null || Array.isArray(params) ? {} : params))
      .default({}),
  })
  .meta({ examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }] });

export type Message = z.infer<typeof Message>;
export type Params = Record<string, unknown>;

/** JSON-RPC's and the protocol's own (https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes). */
export const errorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** A refusal that has an error code of its own. */
export class ProtocolProblem extends Problem {
  readonly errorCode: number;
  readonly data: object;

  /** @param data members that the protocol requires beside the problem's. */
  constructor(code: ProblemCode, errorCode: number, detail: string, errors?: InvalidValue[], data: object = {}) {
    super(code, detail, { errors });
    this.errorCode = errorCode;
    this.data = data;
  }
}

/** Invalid `params` of a request. The response has status 200, as the protocol's own servers send it. */
export class InvalidParams extends Error {}

/** Parses a request's `params`. @throws InvalidParams that names each invalid member. */
export function parseMessageParams<Parsed>(schema: z.ZodType<Parsed>, params: Params): Parsed {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  throw new InvalidParams(error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(" "));
}

export function resultMessage(id: Message["id"], result: object) {
  return { jsonrpc: "2.0", id, result };
}

export function errorMessage(id: Message["id"], code: number, message: string, data?: object) {
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}

/** Renders a problem as a JSON-RPC error, because assistants show nothing of another body. @param sent the request's body, for its id. */
export function renderError(
  { statusCode, headers, body }: ErrorResponse,
  problem: Problem,
  sent: string | null,
): ErrorResponse {
  const request = isReadable(sent) ? parseJson(sent) : { value: undefined };
  const { data: id } = Id.safeParse(Object(request.value).id);
  const { "Retry-After": seconds } = headers;
  const message = seconds === undefined ? problem.message : `${problem.message} Wait ${seconds} seconds.`;
  const own = problem instanceof ProtocolProblem ? problem.data : {};
  const error = errorMessage(id, errorCodeOf(problem, statusCode, "problem" in request), message, {
    ...JSON.parse(body),
    ...own,
  });
  return { statusCode, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(error) };
}

function errorCodeOf(problem: Problem, status: number, isUnreadable: boolean): number {
  if (problem instanceof ProtocolProblem) return problem.errorCode;
  if (status >= 500) return errorCodes.internalError;
  return isUnreadable ? errorCodes.parseError : errorCodes.invalidRequest;
}
