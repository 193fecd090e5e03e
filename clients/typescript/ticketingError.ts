import type { components } from "./schema.d.ts";

type Problem = components["schemas"]["Problem"];

/**
 * An answer of the API that is no success. Its message tells status, code, detail and request id, and like all its members never
 * the API key or the request.
 */
export class TicketingError extends Error {
  override readonly name = "TicketingError";
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error, for programs; missing where it was not this API that answered. */
  readonly code: Problem["code"] | undefined;
  /** What went wrong, for people. */
  readonly detail: string;
  /** Each value at fault, where the request was not valid. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** The scope that the key lacks, where it lacks one. */
  readonly requiredScope: Problem["required_scope"];
  /** Names the request when asking for help. */
  readonly requestId: string | undefined;

  constructor(status: number, problem: Partial<Problem>) {
    const {
      code,
      detail = "The answer is none of the Ticketing API.",
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

  /** The error that an answer tells. */
  static async of(response: Response): Promise<TicketingError> {
    const problem: unknown = await response.json().catch(() => undefined);
    return new TicketingError(response.status, isProblem(problem) ? problem : {});
  }
}

/** What stands between may answer too, a proxy say, with whatever it likes. */
function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "detail" in value && "request_id" in value;
}
