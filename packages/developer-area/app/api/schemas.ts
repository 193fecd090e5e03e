import * as z from "../zod.ts";

const instant = z.iso.datetime({ offset: true });

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  created: instant,
  last_used: z.nullable(instant),
  status: z.enum(["active", "revoked"]),
  created_by: z.string(),
  revoked: z.nullable(instant),
  revoked_by: z.nullable(z.string()),
  /** When a planned revocation takes effect. */
  revokes_at: z.nullable(instant),
  replaces: z.nullable(z.string()),
  replaced_by: z.nullable(z.string()),
});
/** A key without its secret. */
export type ApiKey = z.infer<typeof ApiKey>;

/** The only response that contains the secret. */
export const CreatedApiKey = z.object({ ...ApiKey.shape, key: z.string() });

/** Something done to a key or to a webhook, whose members are null for the other. */
export const Activity = z.object({
  id: z.string(),
  kind: z.string(),
  action: z.string(),
  time: instant,
  actor: z.string(),
  key_id: z.nullable(z.string()),
  key_name: z.nullable(z.string()),
  key_prefix: z.nullable(z.string()),
  former_name: z.nullable(z.string()),
  scopes: z.nullable(z.array(z.string())),
  revokes_at: z.nullable(instant),
  webhook_id: z.nullable(z.string()),
  url: z.nullable(z.string()),
});
export type Activity = z.infer<typeof Activity>;

const UsageDay = z.object({
  /** In UTC. */
  date: z.iso.date(),
  requests: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
  refused: z.number(),
});
export type UsageDay = z.infer<typeof UsageDay>;

/** What a key did, by day (today last) and by operation (the most frequent first). */
export const KeyUsage = z.object({
  days: z.array(UsageDay),
  operations: z.array(z.object({ operation_id: z.string(), requests: z.number() })),
});
export type KeyUsage = z.infer<typeof KeyUsage>;

export const KeyFailure = z.object({
  time: instant,
  key_id: z.string(),
  operation_id: z.nullable(z.string()),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  required_scope: z.nullable(z.string()),
  parameters: z.array(z.string()),
  request_id: z.string(),
});
export type KeyFailure = z.infer<typeof KeyFailure>;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.nullable(z.string()),
  /** Null for all. */
  types: z.nullable(z.array(z.string())),
  status: z.enum(["active", "paused", "disabled"]),
  created: instant,
  created_by: z.string(),
  delivered_until: z.nullable(instant),
  failing_since: z.nullable(instant),
  next_attempt: z.nullable(instant),
  /** A time that has passed means the same as null. */
  earlier_secret_until: z.nullable(instant),
});
export type Webhook = z.infer<typeof Webhook>;

/** The only responses that contain the signing secret. */
export const WebhookWithSecret = z.object({ ...Webhook.shape, secret: z.string() });

/** What a receiver responded, or why it did not. */
const attempt = { status: z.nullable(z.number()), duration_ms: z.number(), error: z.nullable(z.string()) };

export const WebhookTest = z.object({ ...attempt, response: z.string() });
export type WebhookTest = z.infer<typeof WebhookTest>;

export const WebhookDelivery = z.object({
  ...attempt,
  id: z.string(),
  time: instant,
  message_id: z.string(),
  changes: z.number(),
  attempt: z.number(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
