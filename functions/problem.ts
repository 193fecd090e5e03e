/** Every error code with its status and title. RFC 9457 requires one title for all problems of a type. */
export const problemCodes = {
  invalid_request: { status: 400, title: "Bad Request" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  conflict: { status: 409, title: "Conflict" },
  cursor_expired: { status: 410, title: "Gone" },
  precondition_failed: { status: 412, title: "Precondition Failed" },
  payload_too_large: { status: 413, title: "Content Too Large" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  expectation_failed: { status: 417, title: "Expectation Failed" },
  date_in_future: { status: 422, title: "Unprocessable Content" },
  idempotency_mismatch: { status: 422, title: "Unprocessable Content" },
  rate_limited: { status: 429, title: "Too Many Requests" },
  internal_error: { status: 500, title: "Internal Server Error" },
  service_unavailable: { status: 503, title: "Service Unavailable" },
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** An invalid value in a request: a query parameter or header by name, or a body member by JSON pointer (RFC 6901). */
export type InvalidValue = { parameter: string; detail: string } | { pointer: string; detail: string };

export const maximumErrors = 20;

export interface ProblemMembers {
  errors?: InvalidValue[];
  more_errors?: number;
  required_scope?: string;
  /** The key that an earlier try of the same request created. */
  key_id?: string;
}

/** An error that the client gets. Any other error becomes `internal_error`, and its cause appears only in the log. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly members: ProblemMembers;
  readonly headers: Record<string, string>;

  /** @param detail a sentence for the client's developer, without secrets, stack traces or table names. */
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

/** An unknown resource and another organisation's must get the same problem. */
export function notFound(resource: string): Problem {
  return new Problem("not_found", `No such ${resource}.`);
}

export function missingScope(scope: string): Problem {
  return new Problem("forbidden", `This key lacks the scope ${scope}.`, { required_scope: scope });
}

export function superAdminsOnly(): Problem {
  return new Problem("forbidden", "Only a super-admin of the organisation may do this.");
}

export function idempotencyMismatch(): Problem {
  return new Problem("idempotency_mismatch", "This Idempotency-Key was already used for a different request.");
}

export function dateInFuture(): Problem {
  return new Problem("date_in_future", "The date is more than a day ahead. Nothing was recorded.");
}

/** @param reason why changes may be missing after the cursor, as a sentence. */
export function cursorExpired(reason: string): Problem {
  return new Problem(
    "cursor_expired",
    `${reason} Start over without cursor and changed_since, and with an empty copy.`,
  );
}

export function preconditionFailed(
  detail = "The resource has changed since you read it. Fetch it again and retry.",
): Problem {
  return new Problem("precondition_failed", detail);
}

export function serviceUnavailable(cause: unknown): Problem {
  return new Problem("service_unavailable", "The service is temporarily unavailable. Retry later.", {}, { cause });
}

/** Not `service_unavailable`, because its Retry-After makes many HTTP libraries retry automatically. */
export function perhapsRecorded(cause: unknown): Problem {
  const detail =
    "The change may have been made. Look for it before you send the request again. With an Idempotency-Key, you could retry safely.";
  return new Problem("internal_error", detail, {}, { cause });
}
