import type { Session } from "../session/session.ts";
import * as z from "../zod.ts";
import {
  Activity,
  ApiKey,
  CreatedApiKey,
  KeyFailure,
  KeyUsage,
  Webhook,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from "./schemas.ts";

const timeoutMs = 30_000;
const timedOut = "The service did not respond within 30 seconds. Try again.";
const unreachable = "The service did not respond. Check your connection and try again.";
const expired = "This was not done, because the session has expired.";
const offline =
  "You are offline. Nothing was sent, and what you entered is still here. Try again when you are back online.";

const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), pagination: z.object({ next_cursor: z.nullable(z.string()) }) });
const KeyPage = pageOf(ApiKey);
const ActivityPage = pageOf(Activity);
const FailurePage = pageOf(KeyFailure);
const WebhookPage = pageOf(Webhook);
const DeliveryPage = pageOf(WebhookDelivery);

/** The administration API, called as the signed-in person. Every failure is an `ApiError`. */
export type AdminApi = ReturnType<typeof adminApi>;

export function adminApi(session: Session) {
  return { ...keysApi(session), ...webhooksApi(session) };
}

function keysApi(session: Session) {
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
    /** With the same id and body, a repeated request makes no second key, and fails with the id of the first. */
    createKey: (body: string, requestId: string) =>
      send(session, CreatedApiKey, "/admin/api-keys", {
        method: "POST",
        body,
        headers: { "Idempotency-Key": requestId },
      }),
    /** @param at when; null withdraws a planned revocation, undefined revokes now. */
    revokeKey: (id: string, at?: string | null) =>
      send(session, ApiKey, `${keyPath(id)}/revoke`, {
        method: "POST",
        ...(at !== undefined && { body: JSON.stringify({ at }) }),
      }),
    renameKey: (id: string, name: string) =>
      send(session, ApiKey, keyPath(id), { method: "PATCH", body: JSON.stringify({ name }) }),
    /** The first page is short, so that it comes quickly; the others are as long as the API allows. */
    listActivity: (cursor: string | null) =>
      send(session, ActivityPage, listOf("api-key-activity", cursor === null ? 50 : 200, cursor)),
    /** The requests of a key in the latest days, in UTC, today last. */
    getUsage: (id: string, days: number) => send(session, KeyUsage, `${keyPath(id)}/usage?days=${days}`),
    /** The failed requests of a key in the last 7 days, latest first. */
    listFailures: (id: string, cursor: string | null) =>
      send(session, FailurePage, listOf(`api-keys/${encodeURIComponent(id)}/failures`, 10, cursor)),
    /** The failed requests of all keys in the last 7 days, latest first. */
    listAllFailures: (cursor: string | null) =>
      send(session, FailurePage, listOf("api-key-failures", cursor === null ? 50 : 200, cursor)),
  };
}

function keyPath(id: string): string {
  return `/admin/api-keys/${encodeURIComponent(id)}`;
}

type WebhookUpdate = Partial<
  Pick<Webhook, "url" | "types" | "description" | "status"> & { earlier_secret_until: null }
>;

function webhooksApi(session: Session) {
  const at = (id: string, part = "") => `/admin/webhooks/${encodeURIComponent(id)}${part}`;
  return {
    /** Every webhook of the organisation, newest first. There are at most 20. */
    listWebhooks: async () => (await send(session, WebhookPage, listOf("webhooks", 200, null))).data,
    /** With the same id and body, a repeated request returns the same webhook and secret. */
    createWebhook: (body: string, requestId: string) =>
      send(session, WebhookWithSecret, "/admin/webhooks", {
        method: "POST",
        body,
        headers: { "Idempotency-Key": requestId },
      }),
    updateWebhook: (id: string, update: WebhookUpdate) =>
      send(session, Webhook, at(id), { method: "PATCH", body: JSON.stringify(update) }),
    deleteWebhook: (id: string) => send(session, z.null(), at(id), { method: "DELETE" }),
    /** With the same request id, a repeated request returns the same secret. */
    rotateWebhookSecret: (id: string, requestId: string) =>
      send(session, WebhookWithSecret, at(id, "/rotate-secret"), {
        method: "POST",
        headers: { "Idempotency-Key": requestId },
      }),
    /** Sends a test message, and returns what the receiver responded. */
    testWebhook: (id: string) => send(session, WebhookTest, at(id, "/test"), { method: "POST" }),
    /** Sends the changes since a time again. */
    replayWebhook: (id: string, from: string) =>
      send(session, Webhook, at(id, "/replay"), { method: "POST", body: JSON.stringify({ from }) }),
    /** The attempts of the last 7 days, latest first. */
    listDeliveries: (id: string, cursor: string | null) =>
      send(session, DeliveryPage, listOf(`webhooks/${encodeURIComponent(id)}/deliveries`, 20, cursor)),
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
  if (!navigator.onLine) throw new ApiError(offline, { isSent: false });
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${await session.idToken()}`);
  if (init.body) headers.set("Content-Type", "application/json");
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(path, { ...init, headers, signal, cache: "no-store", credentials: "omit" }).catch(
    (error) => {
      throw new ApiError(error.name === "TimeoutError" ? timedOut : unreachable);
    },
  );
  if (response.status === 401) {
    session.expire();
    throw new ApiError(expired, { status: 401 });
  }
  if (!response.ok) throw await apiErrorOf(response);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new ApiError("The service's response was incomplete.", { status: response.status });
  return parsed.data;
}

const FieldError = z.object({ pointer: z.optional(z.string()), detail: z.string() });
const Problem = z.object({
  detail: z.string(),
  request_id: z.optional(z.string()),
  key_id: z.optional(z.string()),
  errors: z.optional(z.array(FieldError)),
});

/** A failed request, with a message for the user. */
export class ApiError extends Error {
  /** Null if no response came. */
  readonly status: number | null;
  /** False if the request did not leave the page. */
  readonly isSent: boolean;
  readonly requestId: string | null;
  /** The key that the same request has created before. */
  readonly keyId: string | null;
  readonly fieldErrors: z.infer<typeof FieldError>[];
  readonly retryAfterMs: number | null;

  constructor(message: string, details: Partial<Omit<ApiError, keyof Error>> = {}) {
    super(message);
    this.status = details.status ?? null;
    this.isSent = details.isSent ?? true;
    this.requestId = details.requestId ?? null;
    this.keyId = details.keyId ?? null;
    this.fieldErrors = details.fieldErrors ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** What the API says of a member of the request's body, by its JSON pointer. */
export function fieldError(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.fieldErrors.find((found) => found.pointer?.startsWith(pointer))?.detail ?? null;
}

/** Parses an error response: a problem, or a proxy's response in any format. */
async function apiErrorOf(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  const retryAfterSeconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(problem.success ? problem.data.detail : `The service responded with status ${response.status}.`, {
    status: response.status,
    requestId: problem.data?.request_id ?? response.headers.get("X-Request-Id"),
    keyId: problem.data?.key_id ?? null,
    fieldErrors: problem.data?.errors ?? [],
    retryAfterMs: Number.isNaN(retryAfterSeconds) ? null : retryAfterSeconds * 1000,
  });
}
