import { jsonObjectIn, TicketingError } from "./ticketingError.ts";

export type Fetch = (request: Request) => Promise<Response>;

/** Waits for the delay or until the signal aborts. */
export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** One try of a request, and how it ended. */
export interface Attempt {
  method: string;
  /** With the query, which may contain an e-mail address. */
  url: string;
  /** 1 for the first. */
  number: number;
  durationMs: number;
  /** Undefined if no response arrived. */
  status: number | undefined;
  requestId: string | undefined;
  /** Why there was no response, or a success without the API's JSON. */
  error: unknown;
  /** The wait before the next try; undefined if this was the last. */
  retryInMs: number | undefined;
}

export interface RetryOptions {
  /** Sends a request once; by default the global fetch. */
  fetch?: Fetch | undefined;
  /** Waits before a retry; by default for the full delay. */
  wait?: Wait | undefined;
  /** The time for one try, until its whole response has arrived; 30,000 by default. The API responds within 10 seconds. */
  timeoutMs?: number | undefined;
  /** Tries after the first; 3 by default, 0 for none. */
  maximumRetries?: number | undefined;
  /** Called after each try, for logs and metrics. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** If the service asks for a longer wait, the caller gets the error at once. */
const longestRetryAfterMs = 60_000;
const firstPauseMs = 500;

/**
 * A fetch that retries after `Retry-After` and some jitter, if a retry is safe. It always retries 429, because the request was not
 * processed. It retries other temporary failures, and lost or unreadable responses, only for idempotent requests. After the last try, it
 * returns the last response or throws the last error. It follows no redirect.
 * @throws TypeError for invalid options.
 */
export function retryingFetch({
  fetch = globalThis.fetch,
  wait = delay,
  timeoutMs = 30_000,
  maximumRetries = 3,
  onAttempt,
}: RetryOptions = {}): Fetch {
  if (!(timeoutMs > 0 && timeoutMs <= longestTimerMs)) throw new TypeError("timeoutMs must be a positive number.");
  if (!(Number.isInteger(maximumRetries) && maximumRetries >= 0))
    throw new TypeError("maximumRetries must be 0 or a positive integer.");
  return async (request) => {
    for (let number = 1; ; number++) {
      const startMs = performance.now();
      const outcome = await attempt(fetch, request, timeoutMs);
      const durationMs = performance.now() - startMs;
      const retryAfterMs = number <= maximumRetries ? retryAfter(request, outcome) : undefined;
      // Jitter, so that clients that were rejected together do not retry together.
      const retryInMs =
        retryAfterMs === undefined ? undefined : retryAfterMs + Math.random() * firstPauseMs * 2 ** number;
      onAttempt?.({ method: request.method, url: request.url, number, durationMs, ...resultOf(outcome), retryInMs });
      if (retryInMs === undefined) {
        if ("error" in outcome) throw outcome.error;
        return outcome.response;
      }
      await wait(retryInMs, request.signal);
    }
  };
}

/** The limit of setTimeout, which fires at once beyond it. */
const longestTimerMs = 2 ** 31 - 1;

/** A truncated response has only an error; a success without the API's JSON has both. */
type Outcome = { response: Response } | { response?: Response; error: unknown };

function resultOf({ response, ...failure }: Outcome) {
  return {
    status: response?.status,
    requestId: response?.headers.get("X-Request-Id") ?? undefined,
    error: "error" in failure ? failure.error : undefined,
  };
}

async function attempt(fetch: Fetch, request: Request, timeoutMs: number): Promise<Outcome> {
  const signal = anySignal([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    // A redirect would send the key and the request to another address.
    const answer = await fetch(new Request(request.clone(), { signal, redirect: "manual" }));
    const response = answer.body === null ? answer : new Response(await answer.arrayBuffer(), answer);
    if (!response.ok || (await jsonObjectIn(response.clone()))) return { response };
    return { response, error: new TicketingError(response.status, {}) };
  } catch (error) {
    return { error };
  }
}

/** Temporary failures. One from a proxy may hide that the request succeeded. */
const temporary = new Set([408, 425, 500, 502, 503, 504]);

/** The minimum delay before a retry, in milliseconds; undefined if a retry is unsafe or useless. */
function retryAfter(request: Request, outcome: Outcome): number | undefined {
  const isRepeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  if ("error" in outcome) return isRepeatable && !request.signal.aborted ? 0 : undefined;
  const { status, headers } = outcome.response;
  if (status !== 429 && !(temporary.has(status) && isRepeatable)) return undefined;
  const retryAfterMs = delayOf(headers.get("Retry-After") ?? "");
  return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
}

/** The delay in a `Retry-After` header: seconds, perhaps with decimals, or a date of RFC 9110; 0 for anything else. */
function delayOf(retryAfter: string): number {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const date = new Date(retryAfter);
  // Date accepts many other texts, such as "about 2099".
  const isHttpDate = date.toUTCString() === retryAfter;
  return isHttpDate ? Math.max(0, date.getTime() - Date.now() || 0) : 0;
}

/** Aborts with the first signal. AbortSignal.any is missing before Node 20.3, and some later versions lose its aborts (nodejs/node#65995). */
function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: controller.signal });
  }
  return controller.signal;
}

/** Waits for the delay. @throws the signal's reason as soon as it aborts. */
function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((settle, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      settle();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
