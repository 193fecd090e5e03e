import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/admin.ts";
import { refetchInterval } from "./useApiKeys.ts";

const firstPage: string | null = null;

/** The requests of a key in the last 30 days, refreshed while the page is visible. */
export function useKeyUsage(keyId: string) {
  const { api } = useAdmin();
  return useQuery({ queryKey: ["api-key-usage", keyId], queryFn: () => api.getUsage(keyId, 30), refetchInterval });
}

/** The latest failed requests of a key, refreshed while the page is visible. */
export function useKeyFailures(keyId: string) {
  const { api } = useAdmin();
  return useInfiniteQuery({
    queryKey: ["api-key-failures", keyId],
    queryFn: ({ pageParam }) => api.listFailures(keyId, pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval,
  });
}
