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
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
