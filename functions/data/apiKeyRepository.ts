import { randomBytes } from "node:crypto";
import * as z from "zod";
import { mintApiKey } from "../auth/apiKey.ts";
import { Scope } from "../auth/principal.ts";
import { notFound } from "../http/problem.ts";
import { keys } from "./keys.ts";
import type { Table } from "./table.ts";
import { ConditionFailed } from "./tableError.ts";
import { getItem } from "./tableReads.ts";
import { transactWrite } from "./tableWrites.ts";

/** An API key as its organisation's super-admin finds it. The hash leads to the authorizer's item of the same key. */
const StoredApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  status: z.enum(["active", "revoked"]),
  created: z.string(),
  created_by: z.string(),
  revoked: z.string().nullable(),
  revoked_by: z.string().nullable(),
  hash: z.string(),
});
export type StoredApiKey = z.infer<typeof StoredApiKey>;

/**
 * One organisation's API keys. A key is two items, the super-admin's and the authorizer's, that are written and revoked in one
 * transaction, so that no key is half made and none works that cannot be listed and revoked.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  return {
    /**
     * Makes a key. `read` is always among its scopes.
     * @param createdBy who makes it, for the audit trail.
     * @returns the stored key and the secret, which is nowhere else and cannot be shown again.
     */
    async create(name: string, scopes: Scope[], createdBy: string): Promise<{ key: string; stored: StoredApiKey }> {
      const { key, prefix, hash } = mintApiKey();
      const created = new Date().toISOString();
      const id = timeOrderedId(created);
      const granted = Scope.options.filter((scope) => scope === "read" || scopes.includes(scope));
      const common = { id, name, prefix, scopes: granted, status: "active" as const, hash };
      const stored = { ...common, created, created_by: createdBy, revoked: null, revoked_by: null };
      await transactWrite(table, [
        { put: { ...keys.apiKey(organisationId, id), ...stored }, condition: isNew },
        {
          put: { ...keys.apiKeyHash(hash), ...common, organisation_id: organisationId, last_used: null },
          condition: isNew,
        },
      ]);
      return { key, stored };
    },

    /**
     * Revokes a key for ever. From the moment this returns, the authorizer refuses it. Revoking it again changes nothing.
     * @throws Problem `not_found`
     */
    async revoke(id: string, revokedBy: string): Promise<StoredApiKey> {
      const Key = keys.apiKey(organisationId, id);
      const stored = await getStored(table, Key);
      try {
        const revoked = revocation(revokedBy);
        await transactWrite(table, [
          { key: Key, change: revoked },
          { key: keys.apiKeyHash(stored.hash), change: revoked },
        ]);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
      return getStored(table, Key);
    },
  };
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Only an active key can be revoked, and nothing ever writes `active` to an item that exists. */
function revocation(revokedBy: string) {
  return {
    condition: "#status = :active",
    update: "SET #status = :revoked, revoked = :now, revoked_by = :by",
    names: { "#status": "status" },
    values: { ":active": "active", ":revoked": "revoked", ":now": new Date().toISOString(), ":by": revokedBy },
  };
}

async function getStored(table: Table, key: ReturnType<typeof keys.apiKey>): Promise<StoredApiKey> {
  const item = await getItem(table, key);
  if (!item) throw notFound("API key");
  return StoredApiKey.parse(item);
}

/** Ids order by time of creation, and are unlike even within a millisecond. */
function timeOrderedId(created: string): string {
  return `${Date.parse(created).toString(36).padStart(9, "0")}${randomBytes(6).toString("hex")}`;
}
