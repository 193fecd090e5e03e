import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./apiError.ts";

const retries = 2;
/** Who is asked to come back later than this is told so, instead of waiting before a page that seems to load. */
const longestWaitMs = 10_000;

/** What the page has read from the API. Only what may pass on its own is tried again: no answer, 429 and 503. */
export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && mayPass(error),
        retryDelay: (failures, error) => askedToWaitMs(error) ?? 1000 * 2 ** failures,
      },
    },
  });
}

function mayPass(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  if ((askedToWaitMs(error) ?? 0) > longestWaitMs) return false;
  return error.status === null || error.status === 429 || error.status === 503;
}

function askedToWaitMs(error: Error): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null;
}
