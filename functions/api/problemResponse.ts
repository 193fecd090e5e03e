import { excerpt } from "../log/redact.ts";
import { type InvalidValue, type Problem, type ProblemCode, type ProblemMembers, problemCodes } from "../problem.ts";
import { securityHeaders } from "./securityHeaders.ts";

/** Maximum length of a problem's list of errors. */
export const maximumErrors = 20;

/** Seconds until a client may retry: longer than DynamoDB throttles a table. */
export const retryAfterSeconds = 5;

/**
 * The RFC 9457 body of a problem, also for the gateway's own errors. It never exceeds 16 KB: it lists at most 20 errors, counts
 * the others, and truncates names that the client sent.
 */
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

export function problemResponse(problem: Problem, requestId: string) {
  return {
    statusCode: problemCodes[problem.code].status,
    headers: { ...securityHeaders, ...problemHeaders(problem.code, requestId), ...problem.headers },
    body: JSON.stringify(problemBody(problem.code, problem.message, requestId, problem.members)),
  };
}
