export type Fetch = (request: Request) => Promise<Response>;

/** Waits for the delay or until the signal aborts. */
export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>;

const maximumTries = 4;
/** The API responds within 10 seconds; after this, the response is considered lost. */
const tryTimeoutMs = 30_000;
/** Longer waits are reported to the caller instead. */
const longestRetryAfterMs = 60_000;
const firstPauseMs = 500;

/**
 * A fetch that retries after `Retry-After` and some jitter, if a retry is safe. It always retries 429, because the request was not
 * processed. It retries 503 and lost responses only for idempotent requests. After four tries, it returns the last response or throws
 * the last error.
 */
export function retryingFetch(fetch: Fetch, wait: Wait = delay): Fetch {
  return async (request) => {
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(fetch, request);
      const retryAfterMs = tries < maximumTries ? retryAfter(request, outcome) : undefined;
      if (retryAfterMs === undefined) {
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      // Jitter, so that clients that were rejected together do not retry together.
      await wait(retryAfterMs + Math.random() * firstPauseMs * 2 ** tries, request.signal);
    }
  };
}

/** The whole response, or the error. A truncated response is an error. */
async function attempt(fetch: Fetch, request: Request): Promise<Response | { error: unknown }> {
  const signal = anySignal([request.signal, AbortSignal.timeout(tryTimeoutMs)]);
  try {
    const response = await fetch(new Request(request.clone(), { signal }));
    return response.body === null ? response : new Response(await response.arrayBuffer(), response);
  } catch (error) {
    return { error };
  }
}

/** The least delay before a retry, in milliseconds; undefined if a retry is unsafe or useless. */
function retryAfter(request: Request, outcome: Response | { error: unknown }): number | undefined {
  const isRepeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  if (!(outcome instanceof Response)) return isRepeatable && !request.signal.aborted ? 0 : undefined;
  if (outcome.status !== 429 && !(outcome.status === 503 && isRepeatable)) return undefined;
  const retryAfterMs = Number(outcome.headers.get("Retry-After")) * 1000;
  return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
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
