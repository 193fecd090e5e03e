import { useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/admin.ts";
import { refetchInterval } from "./useApiKeys.ts";

/** The requests of a key in the last 30 days, refreshed while the page is visible. */
export function useKeyUsage(keyId: string) {
  const { api } = useAdmin();
  return useQuery({ queryKey: ["api-key-usage", keyId], queryFn: () => api.getUsage(keyId, 30), refetchInterval });
}
