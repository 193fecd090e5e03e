import { inspect } from "node:util";
import { excerpt, logger } from "../log/logger.ts";
import { perhapsRecordedMetric } from "../log/measurements.ts";
import {
  type InvalidValue,
  maximumErrors,
  Problem,
  type ProblemCode,
  type ProblemMembers,
  perhapsRecorded,
  problemCodes,
  serviceUnavailable,
} from "../problem.ts";
import { Unavailable } from "../table/tableErrors.ts";
import { ForeignCursor } from "../values/cursor.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RequestFacts, RequestMiddleware } from "./requestContext.ts";
import { type ErrorResponse, securityHeaders } from "./response.ts";

/** Seconds until a client may retry: longer than DynamoDB throttles a table. */
export const retryAfterSeconds = 5;

/** The RFC 9457 body of a problem, at most 16 KB: it lists at most 20 errors, counts the others, and truncates names that the client sent. */
export function problemBody(code: ProblemCode, detail: string, requestId: string, members: ProblemMembers = {}) {
  const { status, title } = problemCodes[code];
  const { errors, more_errors, ...others } = members;
  const list = listed(errors, more_errors);
  return { type: "about:blank", title, status, code, detail, ...list, ...others, request_id: requestId };
}

function listed(errors: InvalidValue[] | undefined, uncounted = 0) {
  if (errors === undefined) return {};
  const more = uncounted + Math.max(0, errors.length - maximumErrors);
  return { errors: errors.slice(0, maximumErrors).map(withExcerpt), ...(more > 0 && { more_errors: more }) };
}

/** A client may have sent its key, or 100 KB, as a name. */
function withExcerpt(invalid: InvalidValue): InvalidValue {
  return "parameter" in invalid
    ? { ...invalid, parameter: excerpt(invalid.parameter) }
    : { ...invalid, pointer: excerpt(invalid.pointer) };
}

export function problemHeaders(code: ProblemCode, requestId: string): Record<string, string> {
  return {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...(code === "service_unavailable" || code === "rate_limited" ? { "Retry-After": String(retryAfterSeconds) } : {}),
  };
}

export function problemResponse(problem: Problem, requestId: string): ErrorResponse {
  return {
    statusCode: problemCodes[problem.code].status,
    headers: { ...securityHeaders, ...problemHeaders(problem.code, requestId), ...problem.headers },
    body: JSON.stringify(problemBody(problem.code, problem.message, requestId, problem.members)),
  };
}

/** Maps the table's errors to their problems, and unknown errors to `internal_error`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable) return serviceUnavailable(error.cause);
  if (error instanceof ForeignCursor) {
    const errors = [{ parameter: "cursor", detail: error.message }];
    return new Problem("invalid_request", error.message, { errors });
  }
  return new Problem("internal_error", "Something went wrong on our side.", {}, { cause: error });
}

/** True if the table failed after the write began, and the client sent no Idempotency-Key where the operation takes one. */
function mayHaveRecorded(
  { headers }: Pick<Endpoint, "headers">,
  error: unknown,
  sent: Record<string, unknown>,
  { usage }: RequestFacts,
): error is Unavailable {
  const takesKey = headers !== undefined && keyHeader in headers.shape;
  // Writes that take an Idempotency-Key are transactions. Their actions' full names must not appear in functions that only read.
  const hasBegun = Object.keys(usage.calls).some((call) => call.startsWith("Transact"));
  return error instanceof Unavailable && takesKey && sent[keyHeader] === undefined && hasBegun;
}

const keyHeader = "idempotency-key";

/** Makes an error that Middy's http-error-handler, which runs next, renders as the response. Logs the problem's cause. */
export function problemHandler(endpoint: Pick<Endpoint, "operationId" | "headers" | "renderError">): RequestMiddleware {
  const operation_id = endpoint.operationId;
  return {
    onError: (request) => {
      const { context, error: thrown } = request;
      const isPerhapsRecorded = mayHaveRecorded(endpoint, thrown, request.event.headers, context);
      const problem = isPerhapsRecorded ? perhapsRecorded(thrown.cause) : toProblem(thrown);
      request.context.problem = problem;
      const requestId = request.event.requestContext.requestId;
      if (problem.cause !== undefined) {
        const error = problem.cause instanceof Error ? problem.cause : new Error(describe(problem.cause));
        const function_request_id = request.context.awsRequestId;
        const ids = { request_id: requestId, function_request_id, operation_id };
        logger.error(problem.message, { ...ids, error, ...(isPerhapsRecorded && perhapsRecordedMetric()) });
      }
      const response = problemResponse(problem, requestId);
      const { statusCode, headers, body } = endpoint.renderError?.(response, problem, request.event.body) ?? response;
      request.error = Object.assign(new Error(body), { statusCode, headers, expose: true });
    },
  };
}

/** Describes an object only by its type: its members may be personal data, and its own toString() may fail. */
function describe(thrown: unknown): string {
  return inspect(thrown, { depth: -1, customInspect: false });
}
