import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/admin.ts";
import type { ApiKey } from "./apiKey.ts";

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
