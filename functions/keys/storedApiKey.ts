import * as z from "zod";
import type { ActivityEntry } from "../audit/activityRepository.ts";
import { storedForm } from "../resources/resource.ts";
import { ApiKey } from "./apiKey.ts";

/** An API key for its organisation's super-admins. The authorizer's item for the same key, found by the hash, has the last use and the suspension. */
export const StoredApiKey = storedForm(ApiKey.omit({ last_used: true, suspended: true })).extend({ hash: z.string() });
export type StoredApiKey = z.infer<typeof StoredApiKey>;

export function keyActivity(
  action: Extract<ActivityEntry, { kind: "api_key" }>["action"],
  { id, name, prefix }: StoredApiKey,
  details: { former_name?: string; scopes?: StoredApiKey["scopes"] } = {},
): ActivityEntry {
  return { kind: "api_key", action, key_id: id, key_name: name, key_prefix: prefix, ...details };
}
