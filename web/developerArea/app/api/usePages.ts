import { useInfiniteQuery } from "@tanstack/react-query";

interface Page<Row> {
  data: Row[];
  pagination: { next_cursor: string | null };
}

const firstPage: string | null = null;

/** A list of the API, page by page. */
export function usePages<Row>(
  queryKey: string[],
  list: (cursor: string | null) => Promise<Page<Row>>,
  options: { refetchInterval?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => list(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    ...options,
  });
  const { data, fetchNextPage, refetch, isFetchNextPageError } = query;
  return {
    ...query,
    rows: data?.pages.flatMap((page) => page.data),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
