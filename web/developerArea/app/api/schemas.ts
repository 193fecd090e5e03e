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
  replaces: z.nullable(z.string()),
  replaced_by: z.nullable(z.string()),
});
/** A key without its secret. */
export type ApiKey = z.infer<typeof ApiKey>;

/** The only response that contains the secret. */
export const CreatedApiKey = z.object({ ...ApiKey.shape, key: z.string() });

export const ApiKeyActivity = z.object({
  id: z.string(),
  action: z.enum(["created", "revoked"]),
  time: z.iso.datetime({ offset: true }),
  actor: z.string(),
  key_id: z.string(),
  key_name: z.string(),
  key_prefix: z.string(),
});
export type ApiKeyActivity = z.infer<typeof ApiKeyActivity>;

const UsageDay = z.object({
  /** In UTC. */
  date: z.iso.date(),
  requests: z.number(),
  client_errors: z.number(),
  server_errors: z.number(),
});
export type UsageDay = z.infer<typeof UsageDay>;

/** What a key did, by day (today last) and by operation (the most frequent first). */
export const KeyUsage = z.object({
  days: z.array(UsageDay),
  operations: z.array(z.object({ operation_id: z.string(), requests: z.number() })),
});
export type KeyUsage = z.infer<typeof KeyUsage>;

export const KeyFailure = z.object({
  time: z.iso.datetime({ offset: true }),
  operation_id: z.string(),
  status: z.number(),
  code: z.nullable(z.string()),
  request_id: z.string(),
});
export type KeyFailure = z.infer<typeof KeyFailure>;
