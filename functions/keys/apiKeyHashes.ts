import * as z from "zod";
import { Scope } from "../resources/scope.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { isWritten, updateItem } from "../table/writes.ts";

/** The precision of `last_used`: each key is written at most once in this time. */
export const lastUsedPrecisionMs = 60_000;

export const ApiKeyHash = z.object({
  hash: z.string(),
  organisation_id: z.int().positive(),
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  status: z.enum(["active", "revoked"]),
  /** The platform team has suspended the organisation. */
  suspended: z.literal(true).optional(),
  last_used: z.string().nullable(),
});
export type ApiKeyHash = z.infer<typeof ApiKeyHash>;

export function refusalOf(key: ApiKeyHash): "revoked" | "suspended" | undefined {
  if (key.status === "revoked") return "revoked";
  return key.suspended && "suspended";
}

/** The only attribute that an erasure leaves of a revoked key, besides the item's key. No restoration overwrites it. */
export const erasedRevoked = { status: "revoked" } as const;

/** @returns undefined if an erasure has left only that the key is revoked. */
export function apiKeyHashOf(item: Item): ApiKeyHash | undefined {
  return item.hash === undefined && item.status === erasedRevoked.status ? undefined : ApiKeyHash.parse(item);
}

/** Finds a key of any status, except of an erased organisation. Reads consistently, because a revocation must take effect at once. */
export async function findApiKeyHash(table: Table, hash: string): Promise<ApiKeyHash | undefined> {
  const item = await getItem(table, itemKeys.apiKeyHash(hash));
  return item && apiKeyHashOf(item);
}

export function isLastUsedStale({ last_used }: ApiKeyHash, now: Date): boolean {
  return last_used === null || now.getTime() - Date.parse(last_used) >= lastUsedPrecisionMs;
}

/** Records that the key was used now, unless it is revoked or its stored last use is recent enough. */
export async function recordLastUsed(table: Table, hash: string, now: Date): Promise<void> {
  await isWritten(
    updateItem(table, itemKeys.apiKeyHash(hash), {
      update: "SET last_used = :now",
      condition: "#status = :active AND (attribute_type(last_used, :null) OR last_used <= :stale)",
      names: { "#status": "status" },
      values: {
        ":now": now.toISOString(),
        ":stale": new Date(now.getTime() - lastUsedPrecisionMs).toISOString(),
        ":active": "active",
        ":null": "NULL",
      },
    }),
  );
}
