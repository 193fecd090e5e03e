import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/admin.ts";
import type { ApiKey } from "./apiKey.ts";

const queryKey = ["api-keys"];
/** How often last use is looked at while the page is visible. It is true to within 60 seconds. */
const refetchInterval = 20_000;

/** The organisation's keys, newest first, watched while the page is visible. */
export function useApiKeys() {
  const { api } = useAdmin();
  return useQuery({ queryKey, queryFn: api.listKeys, refetchInterval });
}

/** Shows a key as the API has just answered it, without waiting for the next look at the list. */
export function showApiKey(client: QueryClient, changed: ApiKey): void {
  client.setQueryData<ApiKey[]>(queryKey, (keys = []) =>
    keys.some(({ id }) => id === changed.id)
      ? keys.map((key) => (key.id === changed.id ? changed : key))
      : [changed, ...keys],
  );
  void client.invalidateQueries();
}

/** Looks at the list again at once. */
export function lookAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey });
}
