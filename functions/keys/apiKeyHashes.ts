import * as z from "zod";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { updateItem, updateOf } from "../table/writes.ts";
import { Scope } from "./apiKeyPrincipal.ts";
import { isProved, tagOf } from "./apiKeySecret.ts";

/** The precision of `last_used`: each key is written at most once in this time. */
export const lastUsedPrecisionMs = 60_000;

/** An API key for the authorizer. */
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
  /** When a planned revocation takes effect. */
  revokes_at: z.string().optional(),
  last_used: z.string().nullable(),
});
export type ApiKeyHash = z.infer<typeof ApiKeyHash>;

/** Whether the time of a planned revocation has come. */
export function isDue({ revokes_at }: Pick<ApiKeyHash, "revokes_at">, now: Date): boolean {
  return revokes_at !== undefined && Date.parse(revokes_at) <= now.getTime();
}

/** Why a key is refused; undefined if it is accepted. */
export function refusalOf(key: ApiKeyHash, now: Date): "revoked" | "suspended" | undefined {
  if (key.status === "revoked" || isDue(key, now)) return "revoked";
  return key.suspended && "suspended";
}

/** Finds a key of any status. Reads consistently, because a revocation must take effect at once. */
export async function findApiKeyHash(table: Table, hash: string): Promise<ApiKeyHash | undefined> {
  const item = await getItem(table, keys.apiKeyHash(hash));
  return item && ApiKeyHash.parse(item);
}

const KeyTag = z.object({ proof_key: z.string() });

/** Whether a well-formed key that is not found was created here, by the proof that it contains. */
export async function wasCreatedHere(table: Table, key: string): Promise<boolean> {
  const tag = KeyTag.safeParse(await getItem(table, keys.keyTag(tagOf(key))));
  return tag.success && isProved(key, tag.data.proof_key);
}

/**
 * Makes a planned revocation that is due permanent. A key may be refused only afterwards: otherwise a withdrawal that was sent in time but arrives
 * late would make a refused key work again.
 *
 * @returns the key as it is now, active if its revocation was withdrawn or moved first; undefined if it was erased.
 */
export async function settleRevocation(table: Table, key: ApiKeyHash): Promise<ApiKeyHash | undefined> {
  const { hash, revokes_at } = key;
  try {
    const isUnchanged = { condition: "revokes_at = :due", values: { ":due": revokes_at } };
    const settled = await updateItem(
      table,
      keys.apiKeyHash(hash),
      updateOf({ set: { status: "revoked" } }, isUnchanged),
    );
    return ApiKeyHash.parse(settled);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.item && ApiKeyHash.parse(error.item);
  }
}

/** Whether the stored last use is older than {@link lastUsedPrecisionMs}. */
export function isLastUsedStale({ last_used }: ApiKeyHash, now: Date): boolean {
  return last_used === null || now.getTime() - Date.parse(last_used) >= lastUsedPrecisionMs;
}

/** Records that the key was used now, unless it is revoked or its stored last use is recent enough. */
export async function recordLastUsed(table: Table, hash: string, now: Date): Promise<void> {
  try {
    await updateItem(table, keys.apiKeyHash(hash), {
      update: "SET last_used = :now",
      condition: "#status = :active AND (attribute_type(last_used, :null) OR last_used <= :stale)",
      names: { "#status": "status" },
      values: {
        ":now": now.toISOString(),
        ":stale": new Date(now.getTime() - lastUsedPrecisionMs).toISOString(),
        ":active": "active",
        ":null": "NULL",
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
