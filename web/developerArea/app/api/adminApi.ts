import type { Session } from "../session/session.ts";
import * as z from "../zod.ts";
import { ApiError, apiErrorOf } from "./apiError.ts";
import { ApiKey, CreatedApiKey } from "./apiKey.ts";
import { ApiKeyActivity } from "./apiKeyActivity.ts";

const timeoutMs = 30_000;

const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), pagination: z.object({ next_cursor: z.nullable(z.string()) }) });
const KeyPage = pageOf(ApiKey);
const ActivityPage = pageOf(ApiKeyActivity);

/** The key management API, called as the signed-in person. Every failure is an `ApiError`. */
export type AdminApi = ReturnType<typeof adminApi>;

export function adminApi(session: Session) {
  return {
    /** Every key of the organisation, newest first. */
    async listKeys(): Promise<ApiKey[]> {
      const keys: ApiKey[] = [];
      let cursor: string | null = null;
      do {
        const page: z.infer<typeof KeyPage> = await send(session, KeyPage, listOf("api-keys", 200, cursor));
        keys.push(...page.data);
        cursor = page.pagination.next_cursor;
      } while (cursor !== null);
      return keys;
    },
    createKey: (key: { name: string; scopes: string[] }) =>
      send(session, CreatedApiKey, "/admin/api-keys", { method: "POST", body: JSON.stringify(key) }),
    revokeKey: (id: string) =>
      send(session, ApiKey, `/admin/api-keys/${encodeURIComponent(id)}/revoke`, { method: "POST" }),
    listActivity: (cursor: string | null) => send(session, ActivityPage, listOf("api-key-activity", 50, cursor)),
  };
}

function listOf(name: string, perPage: number, cursor: string | null): string {
  const query = new URLSearchParams({ per_page: String(perPage), ...(cursor !== null && { cursor }) });
  return `/admin/${name}?${query}`;
}

async function send<Schema extends z.ZodMiniType>(
  session: Session,
  schema: Schema,
  path: string,
  init: RequestInit = {},
): Promise<z.infer<Schema>> {
  if (!navigator.onLine) throw new ApiError("You are offline. Nothing was sent, and what you entered is still here.");
  const headers = new Headers({ Authorization: `Bearer ${await session.idToken()}` });
  if (init.body) headers.set("Content-Type", "application/json");
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(path, { ...init, headers, signal, cache: "no-store", credentials: "omit" }).catch(() => {
    throw new ApiError("The service did not respond. Check your connection and try again.");
  });
  if (response.status === 401) session.expire();
  if (!response.ok) throw await apiErrorOf(response);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new ApiError("The service's response was incomplete.", { status: response.status });
  return parsed.data;
}
