import * as z from "zod";
import { notFound } from "../problem.ts";
import { storedForm } from "../resources/resource.ts";
import type { ItemKey } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import type { Activity, KeyAction } from "./activityRepository.ts";
import { ApiKey } from "./apiKey.ts";
import { isDue } from "./apiKeyHashes.ts";

/**
 * An API key for its organisation's super-admins. The hash identifies the authorizer's item for the same key, which has the last use and the suspension. When
 * a planned revocation takes effect, this item keeps saying `active`, and parsing makes it `revoked`.
 */
export const StoredApiKey = storedForm(ApiKey.omit({ last_used: true, suspended: true }))
  .extend({ hash: z.string(), revokes_by: z.string().optional() })
  .transform(({ revokes_by = null, ...key }) =>
    key.status === "active" && key.revokes_at !== null && isDue({ revokes_at: key.revokes_at }, new Date())
      ? { ...key, status: "revoked" as const, revoked: key.revokes_at, revoked_by: revokes_by, revokes_at: null }
      : key,
  );
export type StoredApiKey = z.infer<typeof StoredApiKey>;

/** @throws Problem `not_found` */
export async function getStored(table: Table, key: ItemKey): Promise<StoredApiKey> {
  const item = await getItem(table, key);
  if (!item) throw notFound("API key");
  return StoredApiKey.parse(item);
}

/** True for an active key without a planned revocation, or whose time is still ahead. No write sets an existing item back to `active`. */
export function isActiveAt(now: string) {
  return {
    condition: "#status = :active AND (attribute_not_exists(revokes_at) OR revokes_at > :now)",
    names: { "#status": "status" },
    values: { ":active": "active", ":now": now },
  };
}

export type Details = Partial<Pick<Activity, "former_name" | "scopes" | "revokes_at">>;

/** What the audit entry for a change of a key says. */
export function aboutKey(action: KeyAction, { id, name, prefix }: StoredApiKey, details: Details) {
  return { kind: "api_key", action, key_id: id, key_name: name, key_prefix: prefix, ...details } as const;
}
