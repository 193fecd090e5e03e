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
  /** Undefined without a response. */
  status: number | undefined;
  requestId: string | undefined;
  /** Why there was no response. */
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

/** Longer waits are reported to the caller instead. */
const longestRetryAfterMs = 60_000;
const firstPauseMs = 500;

/**
 * A fetch that retries after `Retry-After` and some jitter, if a retry is safe. It always retries 429, because the request was not
 * processed. It retries 500, 502, 503, 504 and lost responses only for idempotent requests. After the last try, it returns the last response
 * or throws the last error.
 *
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
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      await wait(retryInMs, request.signal);
    }
  };
}

/** A longer delay fires at once. */
const longestTimerMs = 2 ** 31 - 1;

function resultOf(outcome: Response | { error: unknown }) {
  if (!(outcome instanceof Response)) return { status: undefined, requestId: undefined, error: outcome.error };
  return { status: outcome.status, requestId: outcome.headers.get("X-Request-Id") ?? undefined, error: undefined };
}

/** The whole response, or the error. A truncated response is an error. */
async function attempt(fetch: Fetch, request: Request, timeoutMs: number): Promise<Response | { error: unknown }> {
  const signal = anySignal([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(new Request(request.clone(), { signal }));
    return response.body === null ? response : new Response(await response.arrayBuffer(), response);
  } catch (error) {
    return { error };
  }
}

/** Failures that may pass. Those of a proxy are like lost responses. */
const temporary = new Set([500, 502, 503, 504]);

/** The least delay before a retry, in milliseconds; undefined if a retry is unsafe or useless. */
function retryAfter(request: Request, outcome: Response | { error: unknown }): number | undefined {
  const isRepeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  if (!(outcome instanceof Response)) return isRepeatable && !request.signal.aborted ? 0 : undefined;
  if (outcome.status !== 429 && !(temporary.has(outcome.status) && isRepeatable)) return undefined;
  const retryAfterMs = delayOf(outcome.headers.get("Retry-After") ?? "");
  return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
}

/** The delay in a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date; 0 for anything else. */
function delayOf(retryAfter: string): number {
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return Math.max(0, Date.parse(retryAfter) - Date.now() || 0);
}

/**
 * A signal that aborts with the first of these. It is not AbortSignal.any, because Node lacks that before 20.3, and some later versions
 * lose its aborts (nodejs/node#65995).
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: controller.signal });
  }
  return controller.signal;
}

/** Waits for the delay. @throws the signal's reason as soon as it aborts. */
export function delay(delayMs: number, signal: AbortSignal): Promise<void> {
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
