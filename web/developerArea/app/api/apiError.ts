import * as z from "../zod.ts";

const FieldError = z.object({ pointer: z.optional(z.string()), detail: z.string() });
const Problem = z.object({
  detail: z.string(),
  request_id: z.optional(z.string()),
  errors: z.optional(z.array(FieldError)),
});

/** A failed request, with a message for the user. */
export class ApiError extends Error {
  /** Null if no response came. */
  readonly status: number | null;
  /** False if the request did not leave the page. */
  readonly isSent: boolean;
  readonly requestId: string | null;
  readonly fieldErrors: z.infer<typeof FieldError>[];
  readonly retryAfterMs: number | null;

  constructor(message: string, details: Partial<Omit<ApiError, keyof Error>> = {}) {
    super(message);
    this.status = details.status ?? null;
    this.isSent = details.isSent ?? true;
    this.requestId = details.requestId ?? null;
    this.fieldErrors = details.fieldErrors ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** Parses an error response: a problem, or a proxy's response in any format. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  const retryAfterSeconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(problem.success ? problem.data.detail : `The service responded with status ${response.status}.`, {
    status: response.status,
    requestId: problem.data?.request_id ?? response.headers.get("X-Request-Id"),
    fieldErrors: problem.data?.errors ?? [],
    retryAfterMs: Number.isNaN(retryAfterSeconds) ? null : retryAfterSeconds * 1000,
  });
}
