import { setTimeout } from "node:timers/promises";

export type Fetch = (request: Request) => Promise<Response>;

/** How to wait, so many milliseconds or until the signal. */
export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>;

const maximumTries = 4;
/** The API answers within 10 seconds; what takes longer than this is lost. */
const tryTimeoutMs = 30_000;
/** Who is to wait longer than this had better hear of it. */
const longestRetryAfterMs = 60_000;
const firstPauseMs = 500;

const waitUntil: Wait = (delayMs, signal) => setTimeout(delayMs, undefined, { signal });

/**
 * A fetch that tries again, after `Retry-After` and a little, where that can do no harm: always when it was told that there were too many
 * requests (429), for nothing was done; when the service was unavailable (503), or no answer came, only a request that does the same
 * when it is done twice. It gives up after four tries, with the last answer or error.
 */
export function retryingFetch(fetch: Fetch, wait: Wait = waitUntil): Fetch {
  return async (request) => {
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(fetch, request);
      const retryAfterMs = tries < maximumTries ? retryAfter(request, outcome) : undefined;
      if (retryAfterMs === undefined) {
        if (outcome instanceof Response) return outcome;
        throw outcome.error;
      }
      // Clients that were refused at one moment must not all come back at one moment.
      await wait(retryAfterMs + Math.random() * firstPauseMs * 2 ** tries, request.signal);
    }
  };
}

/** The whole answer, or why there is none. An answer that breaks off is none. */
async function attempt(fetch: Fetch, request: Request): Promise<Response | { error: unknown }> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(tryTimeoutMs)]);
  try {
    const response = await fetch(new Request(request.clone(), { signal }));
    return response.body === null ? response : new Response(await response.arrayBuffer(), response);
  } catch (error) {
    return { error };
  }
}

/** After how many milliseconds, at least, to try again; undefined where that may do harm or is of no use. */
function retryAfter(request: Request, outcome: Response | { error: unknown }): number | undefined {
  const isRepeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  if (!(outcome instanceof Response)) return isRepeatable && !request.signal.aborted ? 0 : undefined;
  if (outcome.status !== 429 && !(outcome.status === 503 && isRepeatable)) return undefined;
  const retryAfterMs = Number(outcome.headers.get("Retry-After")) * 1000;
  return retryAfterMs <= longestRetryAfterMs ? retryAfterMs : undefined;
}
