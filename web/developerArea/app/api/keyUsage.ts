import * as z from "../zod.ts";

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
