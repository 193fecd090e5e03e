import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import type { Session } from "../session/session.ts";
import type { components, paths } from "./schema.ts";

type Schemas = components["schemas"];

export type AdminApi = ReturnType<typeof adminApi>;

/**
 * The administration API as the OpenAPI document describes it, called as the signed-in person: `GET`, `POST` and so on, and hooks for
 * queries. Every failure is thrown, as an `ApiError`.
 */
export function adminApi(session: Session) {
  const client = createFetchClient<paths>({
    fetch: (request) => send(request, session),
    cache: "no-store",
    credentials: "omit",
  });
  return { ...client, ...createQueryClient(client) };
}

const timeoutMs = 30_000;
const timedOut = "The service did not respond within 30 seconds. Try again.";
const unreachable = "The service did not respond. Check your connection and try again.";
const expired = "The request failed, because the session has expired.";
const incomplete = "The service's response was incomplete.";
const offline =
  "You are offline. Nothing was sent, and what you entered is still here. Try again when you are back online.";

async function send(request: Request, session: Session): Promise<Response> {
  if (!navigator.onLine) throw new ApiError(offline, { isSent: false });
  request.headers.set("Authorization", `Bearer ${await session.idToken()}`);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(request, { signal }).catch((error) => {
    throw new ApiError(error.name === "TimeoutError" ? timedOut : unreachable);
  });
  const { status } = response;
  if (status === 401) {
    session.expire();
    throw new ApiError(expired, { status });
  }
  const text = await response.text().catch(() => "");
  const body = parsed(text);
  if (!response.ok) throw refusal(response, body ?? {});
  if (body === null && status !== 204) throw new ApiError(incomplete, { status });
  return new Response(text || null, { status });
}

/** A JSON object, or null for anything else, such as a proxy's page. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function refusal({ status, headers }: Response, problem: Partial<Schemas["Problem"]>): ApiError {
  const retryAfter = headers.get("Retry-After");
  return new ApiError(problem.detail ?? `The service responded with status ${status}.`, {
    status,
    requestId: problem.request_id ?? headers.get("X-Request-Id"),
    keyId: problem.key_id ?? null,
    invalid: problem.errors ?? [],
    retryAfterMs: retryAfter === null || Number.isNaN(Number(retryAfter)) ? null : Number(retryAfter) * 1000,
  });
}

/** A failed request, with a message for the user. */
export class ApiError extends Error {
  /** Null if no response came. */
  readonly status: number | null = null;
  /** False if the request did not leave the page. */
  readonly isSent: boolean = true;
  readonly requestId: string | null = null;
  /** The key that the same request has created before. */
  readonly keyId: string | null = null;
  /** The invalid members of the request's body. */
  readonly invalid: Schemas["InvalidValue"][] = [];
  readonly retryAfterMs: number | null = null;

  constructor(message: string, details: Partial<Omit<ApiError, keyof Error>> = {}) {
    super(message);
    Object.assign(this, details);
  }
}

/** A request with a 4xx response has failed. After any other failure, a request that was sent may have succeeded. */
export function isUncertain(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isSent) return false;
  return error.status === null || error.status < 400 || error.status >= 500;
}

export async function bodyOf<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await call;
  if (data === undefined) throw new ApiError(incomplete);
  return data;
}
