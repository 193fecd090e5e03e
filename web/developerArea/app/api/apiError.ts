import * as z from "../zod.ts";

const FieldError = z.object({ pointer: z.optional(z.string()), detail: z.string() });
const Problem = z.object({
  detail: z.string(),
  request_id: z.optional(z.string()),
  errors: z.optional(z.array(FieldError)),
});

/** What kept a request from succeeding, in words for the person who made it. */
export class ApiError extends Error {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly fieldErrors: z.infer<typeof FieldError>[];
  readonly retryAfterMs: number | null;

  constructor(message: string, details: Partial<Omit<ApiError, keyof Error>> = {}) {
    super(message);
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.fieldErrors = details.fieldErrors ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** Reads an error answer: a problem, or whatever a proxy on the way put in its place. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  const retryAfterSeconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(problem.success ? problem.data.detail : `The service answered with status ${response.status}.`, {
    status: response.status,
    requestId: problem.data?.request_id ?? response.headers.get("X-Request-Id"),
    fieldErrors: problem.data?.errors ?? [],
    retryAfterMs: Number.isNaN(retryAfterSeconds) ? null : retryAfterSeconds * 1000,
  });
}
