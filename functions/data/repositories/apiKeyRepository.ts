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
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { ApiKeyHash } from "./apiKeyHashes.ts";
import { listRows } from "./rows.ts";

/** Who does something to a key, for the audit trail. */
export interface Actor {
  /** What people know them by. */
  name: string;
  /** The identity provider's id of them. */
  subject: string;
}

/** An API key as its organisation's super-admins find it. The hash leads to the authorizer's item of the same key, which has its last use. */
const StoredApiKey = ApiKey.omit({ last_used: true }).extend({ hash: z.string() });
export type StoredApiKey = z.infer<typeof StoredApiKey>;

/**
 * One organisation's API keys. A key is two items, the super-admin's and the authorizer's, that are written and revoked in one
 * transaction, together with an entry of the audit trail: no key is half made, none works that cannot be listed and revoked,
 * and nothing is done to one without a trace.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  return {
    /** One page of the keys, newest first. */
    async list(page: PageQuery): Promise<Page<ApiKey>> {
      const { data, pagination } = await listRows(table, StoredApiKey, lists.apiKeys(organisationId), page);
      return { data: await withLastUse(table, data), pagination };
    },

    /** One page of the audit trail, latest first. */
    listActivity: (page: PageQuery): Promise<Page<ApiKeyActivity>> =>
      listRows(table, ApiKeyActivity, lists.apiKeyActivity(organisationId), page),

    /**
     * Makes a key. `read` is always among its scopes.
     * @returns the stored key and the secret, which is nowhere else and cannot be shown again.
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
     * Revokes a key for ever. From the moment this returns, the authorizer refuses it. Revoking it again changes nothing.
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
      if (revoked.status !== "revoked") throw new Error(`The two items of the key ${id} do not agree.`);
      const [listed] = await withLastUse(table, [revoked]);
      return ApiKey.parse(listed);
    },
  };
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Only an active key can be revoked, and nothing ever writes `active` to an item that exists. */
function revocation(now: string, revokedBy: string) {
  return {
    condition: "#status = :active",
    update: "SET #status = :revoked, revoked = :now, revoked_by = :by",
    names: { "#status": "status" },
    values: { ":active": "active", ":revoked": "revoked", ":now": now, ":by": revokedBy },
  };
}

/** The entry of the audit trail that goes with a change of a key. */
function activity(
  organisationId: number,
  action: ApiKeyActivity["action"],
  time: string,
  { id, name, prefix }: StoredApiKey,
  actor: Actor,
): TransactWrite {
  const entry = { id: timeOrderedId(time), action, time, actor: actor.name, actor_id: actor.subject };
  const ofKey = { key_id: id, key_name: name, key_prefix: prefix };
  return { put: { ...keys.apiKeyActivity(organisationId, entry.id), ...entry, ...ofKey }, condition: isNew };
}

async function getStored(table: Table, key: ReturnType<typeof keys.apiKey>): Promise<StoredApiKey> {
  const item = await getItem(table, key);
  if (!item) throw notFound("API key");
  return StoredApiKey.parse(item);
}

/** The keys as they are shown, each with its last use, which only the authorizer's items have. */
async function withLastUse(table: Table, stored: StoredApiKey[]): Promise<ApiKey[]> {
  const items = await getItems(
    table,
    stored.map(({ hash }) => keys.apiKeyHash(hash)),
  );
  const lastUses = new Map(items.map((item) => ApiKeyHash.parse(item)).map(({ hash, last_used }) => [hash, last_used]));
  return stored.map((key) => ApiKey.parse({ ...key, last_used: lastUses.get(key.hash) }));
}
