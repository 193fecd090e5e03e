import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/**
 * An error response, or a success without the API's JSON. Its message has the status, code, detail and request id. It never contains the API
 * key or the request.
 */
export class TicketingError extends Error {
  override readonly name: string = "TicketingError";
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error, for programs; undefined if the response did not come from the API. */
  readonly code: Problem["code"] | undefined;
  /** The explanation, for people. */
  readonly detail: string;
  /** The invalid values, if the request was invalid. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** The scope that the key lacks. */
  readonly requiredScope: Problem["required_scope"];
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;

  constructor(status: number, problem: Partial<Problem>) {
    const isSuccess = status >= 200 && status < 300;
    const {
      code,
      detail = `The response ${isSuccess ? "is damaged, or " : ""}did not come from the Ticketing API.`,
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
    const problem = await jsonObjectIn(response);
    return new TicketingError(response.status, problem && isProblem(problem) ? problem : {});
  }
}

/** The body's JSON object; undefined for any other body, which a proxy may have sent. */
export async function jsonObjectIn(response: Response): Promise<object | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await response.arrayBuffer());
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: object): value is Problem {
  return "code" in value && "detail" in value && "request_id" in value;
}

/** The stored cursor, or `changedSince`, is too old: deletions may be missing. Empty your copy and sync again without either. */
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
