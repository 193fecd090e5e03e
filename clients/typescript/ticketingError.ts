import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/**
 * An error response. Its message has the status, code, detail and request id. It never contains the API key or the request.
 */
export class TicketingError extends Error {
  override readonly name: string = "TicketingError";
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error, for programs; undefined if the response did not come from the API. */
  readonly code: Problem["code"] | undefined;
  /** What went wrong, for people. */
  readonly detail: string;
  /** The invalid values, if the request was not valid. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** The scope that the key lacks. */
  readonly requiredScope: Problem["required_scope"];
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;

  constructor(status: number, problem: Partial<Problem>) {
    const {
      code,
      detail = "The response did not come from the Ticketing API.",
      errors = [],
      required_scope,
      request_id,
    } = problem;
    super(
      [`${status} ${code ?? ""}`.trim(), detail, request_id && `(request ${request_id})`].filter(Boolean).join(" "),
    );
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requiredScope = required_scope;
    this.requestId = request_id;
  }

  /** Parses an error response, or one that did not come from the API. */
  static async of(response: Response): Promise<TicketingError> {
    const problem: unknown = await response.json().catch(() => undefined);
    return new TicketingError(response.status, isProblem(problem) ? problem : {});
  }
}

/** A proxy in between may also respond, in any format. */
function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "detail" in value && "request_id" in value;
}

/**
 * The stored cursor, or `changedSince`, is so old that the service no longer shows every later deletion. Empty your copy and sync again
 * without either.
 */
export class CursorExpiredError extends TicketingError {
  override readonly name: string = "CursorExpiredError";

  /** @param cause the service's response. */
  constructor(cause: TicketingError) {
    const detail =
      "The position is too old, so deletions may be missing. Start over without a cursor and with an empty copy.";
    super(cause.status, { code: "cursor_expired", detail, ...(cause.requestId && { request_id: cause.requestId }) });
    this.cause = cause;
  }
}
