import * as z from "../zod.ts";

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
