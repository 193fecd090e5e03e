import type { ApiKey } from "../api/apiKey.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";

export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.last_used === null ? "never" : <RelativeTime instant={apiKey.last_used} />;
}
