import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./apiError.ts";

const retries = 2;
/** A longer `Retry-After` is reported as an error, because the page would seem to load all that time. */
const maximumRetryAfterMs = 10_000;

/** The cache of API responses. Only transient failures are retried: no response, 429 and 503. */
export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < retries && isTransient(error),
        retryDelay: (failures, error) => retryAfterMs(error) ?? 1000 * 2 ** failures,
      },
    },
  });
}

function isTransient(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  if ((retryAfterMs(error) ?? 0) > maximumRetryAfterMs) return false;
  return error.status === null || error.status === 429 || error.status === 503;
}

function retryAfterMs(error: Error): number | null {
  return error instanceof ApiError ? error.retryAfterMs : null;
}
