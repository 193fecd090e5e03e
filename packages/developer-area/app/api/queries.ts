import { type InfiniteData, QueryClient, type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNow } from "../parts/hooks.ts";
import { useAdmin } from "../session/admin.ts";
import { ApiError, bodyOf } from "./adminApi.ts";
import type { ApiKey, UsageDay } from "./types.ts";

const retries = 2;
/** A longer `Retry-After` is reported as an error, because the page would appear to load for that time. */
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

/** Keys, webhooks and their usage are refreshed this often while the page is visible. They are accurate to within 60 seconds. */
const refetchInterval = 20_000;

export const keysKey = ["all", "/admin/api-keys"];

/** The organisation's keys, newest first, refreshed while the page is visible. */
export function useApiKeys() {
  const { api } = useAdmin();
  const queryFn = async () => {
    const keys: ApiKey[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { per_page: 200, ...(cursor && { cursor }) };
      const { data, pagination } = await bodyOf(api.GET("/admin/api-keys", { params: { query } }));
      keys.push(...data);
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    return keys;
  };
  return useQuery({ queryKey: keysKey, queryFn, refetchInterval });
}

export const webhooksKey = ["all", "/admin/webhooks"];

/** The organisation's webhooks, newest first, refreshed while the page is visible. There are at most 20. */
export function useWebhooks(enabled = true) {
  const { api } = useAdmin();
  const queryFn = async () => (await bodyOf(api.GET("/admin/webhooks", { params: { query: { per_page: 200 } } }))).data;
  return useQuery({ queryKey: webhooksKey, queryFn, refetchInterval, enabled });
}

/** Shows a changed or deleted key or webhook immediately, then refreshes everything. */
export function show<Row extends { id: string }>(
  client: QueryClient,
  queryKey: string[],
  id: string,
  changed: Row | null,
) {
  client.setQueryData<Row[]>(queryKey, (rows = []) =>
    changed && !rows.some((row) => row.id === id)
      ? [changed, ...rows]
      : rows.flatMap((row) => (row.id === id ? (changed ?? []) : row)),
  );
  void client.invalidateQueries();
}

/** The requests of a key in the last 30 days, in UTC, today last; refreshed while the page is visible. */
export function useKeyUsage(id: string) {
  const params = { path: { id }, query: { days: 30 } };
  return useAdmin().api.useQuery("get", "/admin/api-keys/{id}/usage", { params }, { refetchInterval });
}

interface Page<Row> {
  data: Row[];
  pagination: { next_cursor: string | null };
}

const firstPage: string | null = null;
const pages = {
  initialPageParam: firstPage,
  getNextPageParam: ({ pagination }: Page<unknown>) => pagination.next_cursor,
};
const perPage = (per_page: number) => ({ query: { per_page } });

/** The activity of keys and webhooks, latest first. */
export function useActivity(all: boolean) {
  const params = perPage(100);
  return usePages(useAdmin().api.useInfiniteQuery("get", "/admin/api-key-activity", { params }, pages), all);
}

/** The failed requests of all keys in the last 7 days, the latest first. */
export function useAllFailures(all: boolean) {
  const params = perPage(100);
  const options = { ...pages, refetchInterval };
  return usePages(useAdmin().api.useInfiniteQuery("get", "/admin/api-key-failures", { params }, options), all);
}

/** The failed requests of a key in the last 7 days, the latest first. */
export function useFailures(id: string) {
  const params = { path: { id }, ...perPage(10) };
  const options = { ...pages, refetchInterval };
  return usePages(useAdmin().api.useInfiniteQuery("get", "/admin/api-keys/{id}/failures", { params }, options));
}

/** A webhook's attempts of the last 7 days, the latest first. */
export function useDeliveries(id: string) {
  const params = { path: { id }, ...perPage(20) };
  const options = { ...pages, refetchInterval };
  return usePages(useAdmin().api.useInfiniteQuery("get", "/admin/webhooks/{id}/deliveries", { params }, options));
}

/** @param all whether to load all pages, one after another. */
function usePages<Row>(query: UseInfiniteQueryResult<InfiniteData<Page<Row>>, Error>, all = false) {
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch, isFetchNextPageError } = query;
  const rows = data?.pages.flatMap((page) => page.data);
  const loadsAll = hasNextPage && all;
  useEffect(() => {
    if (loadsAll && !isFetching && !error) void fetchNextPage({ cancelRefetch: false });
  }, [loadsAll, isFetching, error, fetchNextPage]);
  return {
    ...query,
    loadsAll,
    rows,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

const dayMs = 24 * 60 * 60 * 1000;
/** The longest silence that is reported. */
const reportedMs = 7 * dayMs;
const daysOfUse = 5;
/** Enough for the days of use before the longest silence. */
const days = 14;
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** A warning if an active key was used every day but has been silent for more than 24 hours; otherwise null. */
export function useStoppedCalling({ id, status, last_used }: ApiKey): string | null {
  const silentMs = useNow().getTime() - Date.parse(last_used ?? "");
  const silent = status === "active" && silentMs > dayMs && silentMs <= reportedMs;
  const { data } = useAdmin().api.useQuery(
    "get",
    "/admin/api-keys/{id}/usage",
    // A new last use makes a new query; the days before it never change.
    { params: { path: { id }, query: { days } }, last_used },
    { enabled: silent, staleTime: Number.POSITIVE_INFINITY },
  );
  if (!silent || last_used === null || !data) return null;
  const lastDay = new Date(last_used);
  if (!usedDaily(data.days, lastDay.toISOString().slice(0, "YYYY-MM-DD".length))) return null;
  return `Used every day until ${dayOfYear.format(lastDay)} (UTC), then silent for more than 24 hours.`;
}

function usedDaily(days: UsageDay[], lastDate: string): boolean {
  const lastDay = days.findIndex(({ date }) => date === lastDate);
  const used = days.slice(Math.max(0, lastDay + 1 - daysOfUse), lastDay + 1);
  return used.length === daysOfUse && used.every(({ requests }) => requests > 0);
}
