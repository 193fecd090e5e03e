import { useInfiniteQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/admin.ts";

const firstPage: string | null = null;

/** The activity of all keys, latest first, page by page. */
export function useActivity() {
  const { api } = useAdmin();
  const query = useInfiniteQuery({
    queryKey: ["api-key-activity"],
    queryFn: ({ pageParam }) => api.listActivity(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  const { data, fetchNextPage, refetch, isFetchNextPageError } = query;
  return {
    ...query,
    entries: data?.pages.flatMap((page) => page.data),
    more: () => fetchNextPage({ cancelRefetch: false }),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
