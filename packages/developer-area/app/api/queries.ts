import { QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNow } from "../parts/hooks.ts";
import { useAdmin } from "../session/admin.ts";
import { ApiError } from "./adminApi.ts";
import type { ApiKey, UsageDay, Webhook } from "./schemas.ts";

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

const queryKey = ["api-keys"];
/** How often keys and their usage are refreshed while the page is visible. They are accurate to within 60 seconds. */
export const refetchInterval = 20_000;

/** The organisation's keys, newest first, refreshed while the page is visible. */
export function useApiKeys() {
  const { api } = useAdmin();
  return useQuery({ queryKey, queryFn: api.listKeys, refetchInterval });
}

/** Shows a key from a response immediately, then refreshes everything. */
export function showApiKey(client: QueryClient, changed: ApiKey): void {
  client.setQueryData<ApiKey[]>(queryKey, (keys = []) =>
    keys.some(({ id }) => id === changed.id)
      ? keys.map((key) => (key.id === changed.id ? changed : key))
      : [changed, ...keys],
  );
  void client.invalidateQueries();
}

const webhooksKey = ["webhooks"];

/** The organisation's webhooks, newest first, refreshed while the page is visible. */
export function useWebhooks(enabled = true) {
  const { api } = useAdmin();
  return useQuery({ queryKey: webhooksKey, queryFn: api.listWebhooks, refetchInterval, enabled });
}

/** Shows a webhook from a response immediately, or that it is deleted, then refreshes everything. */
export function showWebhook(client: QueryClient, id: string, changed: Webhook | null): void {
  client.setQueryData<Webhook[]>(webhooksKey, (webhooks = []) => {
    const isKnown = webhooks.some((webhook) => webhook.id === id);
    const kept = webhooks.flatMap((webhook) => (webhook.id === id ? (changed ?? []) : webhook));
    return changed && !isKnown ? [changed, ...webhooks] : kept;
  });
  void client.invalidateQueries();
}

/** The requests of a key in the last 30 days, refreshed while the page is visible. */
export function useKeyUsage(keyId: string, enabled = true) {
  const { api } = useAdmin();
  const queryFn = () => api.getUsage(keyId, 30);
  return useQuery({ queryKey: ["api-key-usage", keyId], queryFn, refetchInterval, enabled });
}

interface Page<Row> {
  data: Row[];
  pagination: { next_cursor: string | null };
}

const firstPage: string | null = null;

interface PagesOptions {
  refetchInterval?: number;
  enabled?: boolean;
  /** Loads all pages, one after another. */
  all?: boolean;
}

/** A list of the API, page by page. */
export function usePages<Row>(
  queryKey: string[],
  list: (cursor: string | null) => Promise<Page<Row>>,
  { all = false, ...options }: PagesOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => list(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    ...options,
  });
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch, isFetchNextPageError } = query;
  const loadsAll = all && hasNextPage;
  useEffect(() => {
    if (loadsAll && !isFetching && !error) void fetchNextPage({ cancelRefetch: false });
  }, [loadsAll, isFetching, error, fetchNextPage]);
  return {
    ...query,
    loadsAll,
    rows: data?.pages.flatMap((page) => page.data),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

const dayMs = 24 * 60 * 60 * 1000;
/** Longer silences are not reported. */
const reportedMs = 7 * dayMs;
const daysOfUse = 5;
/** Enough for the days of use before the longest silence. */
const days = 14;
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** Why an active key seems to be broken: it was used every day, and has been silent for more than 24 hours. Otherwise null. */
export function useStoppedCalling({ id, status, last_used }: ApiKey): string | null {
  const { api } = useAdmin();
  const silentMs = useNow().getTime() - Date.parse(last_used ?? "");
  const silent = status === "active" && silentMs > dayMs && silentMs <= reportedMs;
  const { data } = useQuery({
    queryKey: ["api-key-usage", id, last_used],
    queryFn: () => api.getUsage(id, days),
    enabled: silent,
    // The days before the last use do not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!silent || last_used === null || !data) return null;
  const lastDay = new Date(last_used);
  if (!usedDaily(data.days, lastDay.toISOString().slice(0, "YYYY-MM-DD".length))) return null;
  return `Used every day until ${dayOfYear.format(lastDay)}, silent for more than 24 hours.`;
}

function usedDaily(days: UsageDay[], lastDate: string): boolean {
  const lastDay = days.findIndex(({ date }) => date === lastDate);
  const used = days.slice(Math.max(0, lastDay + 1 - daysOfUse), lastDay + 1);
  return used.length === daysOfUse && used.every(({ requests }) => requests > 0);
}

/** Sends one request at a time, and keeps what is known about the last one. After a failure, everything on the page is refreshed. */
export function useSending<Input>(work: (input: Input) => Promise<void>) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** The input of a request that may have succeeded, because no response said whether it did. */
  const [unanswered, setUnanswered] = useState<Input | null>(null);
  // A ref, because state updates only at the next render, and the second click of a double click may come first.
  const sending = useRef(false);
  const send = async (input: Input) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setError(null);
    try {
      await work(input);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      void client.invalidateQueries();
      if (isUncertain(failure)) setUnanswered(input);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { busy, error, unanswered, send };
}

/** A request with a 4xx response has failed. After any other failure, a request that was sent may have succeeded. */
export function isUncertain(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isSent) return false;
  return error.status === null || error.status < 400 || error.status >= 500;
}
