import { excerpt } from "./redact.ts";
import { securityHeaders } from "./securityHeaders.ts";

/** Every error code of the API with its status and the title that RFC 9457 asks to be the same for all of a type. */
export const problemCodes = {
  invalid_request: { status: 400, title: "Bad Request" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  conflict: { status: 409, title: "Conflict" },
  precondition_failed: { status: 412, title: "Precondition Failed" },
  payload_too_large: { status: 413, title: "Content Too Large" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  idempotency_mismatch: { status: 422, title: "Unprocessable Content" },
  rate_limited: { status: 429, title: "Too Many Requests" },
  internal_error: { status: 500, title: "Internal Server Error" },
  service_unavailable: { status: 503, title: "Service Unavailable" },
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** The most errors that one problem lists. */
export const maximumErrors = 20;

/** Where in a request a value was wrong: a query parameter by name, or a body member by JSON pointer (RFC 6901). */
export type InvalidValue = { parameter: string; detail: string } | { pointer: string; detail: string };

/** Members that only some problems carry. */
export interface ProblemMembers {
  errors?: InvalidValue[];
  required_scope?: string;
}

/** Seconds after which a client may try again when the service was unavailable: longer than a table's throttling lasts. */
export const retryAfterSeconds = 5;

/** An error that the client is told of. Anything else that is thrown becomes `internal_error` and is only logged. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly members: ProblemMembers;
  /** Headers that only this answer has. */
  readonly headers: Record<string, string>;

  /** @param detail a sentence for the client's developer; never holds a secret, a stack or a table's name. */
  constructor(
    code: ProblemCode,
    detail: string,
    members: ProblemMembers = {},
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(detail, options);
    this.code = code;
    this.members = members;
    this.headers = headers;
  }
}

/** The one answer for what does not exist and for what belongs to another organisation. */
export function notFound(resource: string): Problem {
  return new Problem("not_found", `No such ${resource}.`);
}

/** For a key without the scope that an endpoint needs. */
export function missingScope(scope: string): Problem {
  return new Problem("forbidden", `This key lacks the scope ${scope}.`, { required_scope: scope });
}

/** For somebody who is signed in and is not a super-admin. */
export function superAdminsOnly(): Problem {
  return new Problem("forbidden", "Only a super-admin of the organisation may do this.");
}

/** For an Idempotency-Key that another request was sent under. */
export function idempotencyMismatch(): Problem {
  return new Problem("idempotency_mismatch", "This Idempotency-Key was used for another request.");
}

/** For an If-Match that names another state than the one there is. */
export function preconditionFailed(): Problem {
  return new Problem("precondition_failed", "It has changed since. Get it again.");
}

/** For a table that throttles or does not answer. */
export function serviceUnavailable(cause: unknown): Problem {
  return new Problem("service_unavailable", "The service is briefly unavailable. Try again.", {}, { cause });
}

/** The problem that a thrown value is told as. */
export function toProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem("internal_error", "Something went wrong on our side.", {}, { cause: error });
}

/**
 * The RFC 9457 body of a problem. The gateway's own error bodies are made here too. It never exceeds 16 KB: it lists at most 20
 * errors, counts the others, and cuts the names that a client sent.
 */
export function problemBody(code: ProblemCode, detail: string, requestId: string, members: ProblemMembers = {}) {
  const { status, title } = problemCodes[code];
  const { errors, ...others } = members;
  return { type: "about:blank", title, status, code, detail, ...listed(errors), ...others, request_id: requestId };
}

function listed(errors: InvalidValue[] | undefined) {
  if (errors === undefined) return {};
  const more = errors.length - maximumErrors;
  return { errors: errors.slice(0, maximumErrors).map(withExcerpt), ...(more > 0 && { more_errors: more }) };
}

/** A client may have put its key, or 100 KB, where a name belongs. */
function withExcerpt(invalid: InvalidValue): InvalidValue {
  return "parameter" in invalid
    ? { ...invalid, parameter: excerpt(invalid.parameter) }
    : { ...invalid, pointer: excerpt(invalid.pointer) };
}

/** The headers that every problem has, wherever it is made. */
export function problemHeaders(code: ProblemCode, requestId: string): Record<string, string> {
  return {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...(problemCodes[code].status === 503 || code === "rate_limited"
      ? { "Retry-After": String(retryAfterSeconds) }
      : {}),
  };
}

/** The proxy response of a problem. */
export function problemResponse(problem: Problem, requestId: string) {
  return {
    statusCode: problemCodes[problem.code].status,
    headers: { ...securityHeaders, ...problemHeaders(problem.code, requestId), ...problem.headers },
    body: JSON.stringify(problemBody(problem.code, problem.message, requestId, problem.members)),
  };
}
