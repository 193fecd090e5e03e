import * as z from "zod";
import { mintApiKey } from "../../auth/apiKeySecret.ts";
import { notFound } from "../../problem.ts";
import { ApiKey } from "../../resources/apiKey.ts";
import { ApiKeyActivity } from "../../resources/apiKeyActivity.ts";
import type { Page, PageQuery } from "../../resources/page.ts";
import { Scope } from "../../resources/scope.ts";
import { timeOrderedId } from "../../resources/timeOrderedId.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys, lists } from "../table/keys.ts";
import { getItem, getItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { ApiKeyHash } from "./apiKeyHashes.ts";

/** The person who changes a key, for the audit trail. */
export interface Actor {
  name: string;
  /** The identity provider's id for the person. */
  subject: string;
}

/** An API key for its organisation's super-admins. The hash identifies the authorizer's item for the same key, which has the last use. */
const StoredApiKey = ApiKey.omit({ last_used: true }).extend({ hash: z.string() });
export type StoredApiKey = z.infer<typeof StoredApiKey>;

/**
 * One organisation's API keys. A key is two items, one for super-admins and one for the authorizer. One transaction writes both and an entry of
 * the audit trail, so every working key can be listed and revoked, and every change has an entry.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  return {
    /** One page of the keys, newest first. */
    async list(page: PageQuery): Promise<Page<ApiKey>> {
      const { data, pagination } = await listRows(table, StoredApiKey, lists.apiKeys(organisationId), page);
      return { data: await withLastUse(table, data), pagination };
    },

    /** One page of the audit trail, newest first. */
    listActivity: (page: PageQuery): Promise<Page<ApiKeyActivity>> =>
      listRows(table, ApiKeyActivity, lists.apiKeyActivity(organisationId), page),

    /**
     * Creates a key. Its scopes always include `read`.
     * @returns the stored key, and the secret, which is not stored and cannot be shown again.
     */
    async create(name: string, scopes: Scope[], actor: Actor): Promise<{ key: string; stored: StoredApiKey }> {
      const { key, prefix, hash } = mintApiKey();
      const created = new Date().toISOString();
      const id = timeOrderedId(created);
      const granted = Scope.options.filter((scope) => scope === "read" || scopes.includes(scope));
      const common = { id, name, prefix, scopes: granted, status: "active" as const, hash };
      const stored = { ...common, created, created_by: actor.name, revoked: null, revoked_by: null };
      await transactWrite(table, [
        { put: { ...keys.apiKey(organisationId, id), ...stored }, condition: isNew },
        {
          put: { ...keys.apiKeyHash(hash), ...common, organisation_id: organisationId, last_used: null },
          condition: isNew,
        },
        activity(organisationId, "created", created, stored, actor),
      ]);
      return { key, stored };
    },

    /**
     * Revokes a key permanently. Once this returns, the authorizer rejects the key. Revoking a revoked key changes nothing.
     * @throws Problem `not_found`
     */
    async revoke(id: string, actor: Actor): Promise<ApiKey> {
      const Key = keys.apiKey(organisationId, id);
      const stored = await getStored(table, Key);
      const now = new Date().toISOString();
      const change = revocation(now, actor.name);
      try {
        await transactWrite(table, [
          { key: Key, change },
          { key: keys.apiKeyHash(stored.hash), change },
          activity(organisationId, "revoked", now, stored, actor),
        ]);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
      const revoked = await getStored(table, Key);
      if (revoked.status !== "revoked") throw new Error(`The two items of the key ${id} do not match.`);
      const [listed] = await withLastUse(table, [revoked]);
      return ApiKey.parse(listed);
    },
  };
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Only an active key can be revoked. No write sets an existing item back to `active`. */
function revocation(now: string, revokedBy: string) {
  return {
    condition: "#status = :active",
    update: "SET #status = :revoked, revoked = :now, revoked_by = :by",
    names: { "#status": "status" },
    values: { ":active": "active", ":revoked": "revoked", ":now": now, ":by": revokedBy },
  };
}

/** The write of the audit entry for a change of a key. */
function activity(
  organisationId: number,
  action: ApiKeyActivity["action"],
  time: string,
  { id, name, prefix }: StoredApiKey,
  actor: Actor,
): TransactWrite {
  const entry = { id: timeOrderedId(time), action, time, actor: actor.name, actor_id: actor.subject };
  const keyFields = { key_id: id, key_name: name, key_prefix: prefix };
  return { put: { ...keys.apiKeyActivity(organisationId, entry.id), ...entry, ...keyFields }, condition: isNew };
}

async function getStored(table: Table, key: ReturnType<typeof keys.apiKey>): Promise<StoredApiKey> {
  const item = await getItem(table, key);
  if (!item) throw notFound("API key");
  return StoredApiKey.parse(item);
}

/** The public form of the keys, with their last use from the authorizer's items. */
async function withLastUse(table: Table, stored: StoredApiKey[]): Promise<ApiKey[]> {
  const items = await getItems(
    table,
    stored.map(({ hash }) => keys.apiKeyHash(hash)),
  );
  const lastUses = new Map(items.map((item) => ApiKeyHash.parse(item)).map(({ hash, last_used }) => [hash, last_used]));
  return stored.map((key) => ApiKey.parse({ ...key, last_used: lastUses.get(key.hash) }));
}
