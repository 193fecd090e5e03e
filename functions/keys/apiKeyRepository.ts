import { type ActivityEntry, type Actor, activityWrite } from "../audit/activityRepository.ts";
import { notFound } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import type { Scope } from "../resources/scope.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { partitions } from "../table/lists.ts";
import { getItem, getItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type Expression, isWritten, transactWrite, updateOf } from "../table/writes.ts";
import { ApiKey } from "./apiKey.ts";
import { createKey } from "./apiKeyCreation.ts";
import { apiKeyHashOf } from "./apiKeyHashes.ts";
import { keyActivity, StoredApiKey } from "./storedApiKey.ts";

/**
 * One organisation's API keys. A key is two items, one for super-admins and one for the authorizer. One transaction writes both and an entry of
 * the audit trail, so every working key can be listed and revoked, and every change has an entry.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  /** @throws Problem `not_found` */
  async function getStored(id: string): Promise<StoredApiKey> {
    const item = await getItem(table, itemKeys.apiKey(organisationId, id));
    if (!item) throw notFound("API key");
    return StoredApiKey.parse(item);
  }

  async function get(id: string): Promise<ApiKey> {
    const [key] = await withLastUse(table, [await getStored(id)]);
    return ApiKey.parse(key);
  }

  /** Changes both items of a key. Does nothing if the condition fails because a concurrent change came first. */
  async function change(key: StoredApiKey, change: Expression, entry: ActivityEntry, actor: Actor, time: string) {
    await isWritten(
      transactWrite(table, [
        { key: itemKeys.apiKey(organisationId, key.id), change },
        { key: itemKeys.apiKeyHash(key.hash), change },
        activityWrite(organisationId, entry, actor, time),
      ]),
    );
  }

  return {
    /** Newest first. */
    async list(page: PageQuery): Promise<Page<ApiKey>> {
      const { data, pagination } = await listRows(table, StoredApiKey, partitions.apiKeys(organisationId), page);
      return { data: await withLastUse(table, data), pagination };
    },

    create: (name: string, scopes: readonly Scope[], actor: Actor, idempotencyKey?: string) =>
      createKey({ organisationId, table }, { name, scopes, idempotencyKey }, actor),

    /** Permanent: once this returns, the authorizer rejects the key. Repeating it changes nothing. @throws Problem `not_found` */
    async revoke(id: string, actor: Actor): Promise<ApiKey> {
      const key = await getStored(id);
      if (key.status === "active") {
        const time = new Date().toISOString();
        const revocation = updateOf({ set: { status: "revoked", revoked: time, revoked_by: actor.name } }, isActive);
        await change(key, revocation, keyActivity("revoked", key), actor, time);
      }
      return get(id);
    },

    /** Changes the name of a key, active or revoked. @throws Problem `not_found` */
    async rename(id: string, name: string, actor: Actor): Promise<ApiKey> {
      const key = await getStored(id);
      if (key.name !== name) {
        const entry = keyActivity("renamed", { ...key, name }, { former_name: key.name });
        await change(key, updateOf({ set: { name } }, exists), entry, actor, new Date().toISOString());
      }
      return get(id);
    },
  };
}

/** No write sets an existing item back to `active`. */
const isActive = { condition: "#status = :active", names: { "#status": "status" }, values: { ":active": "active" } };
/** False for the rest of a revoked key after an erasure. */
const exists = { condition: "attribute_exists(#hash)", names: { "#hash": "hash" } };

/** The keys as super-admins see them, with the last use and suspension from the authorizer's items. */
async function withLastUse(table: Table, stored: StoredApiKey[]): Promise<ApiKey[]> {
  const items = await getItems(
    table,
    stored.map(({ hash }) => itemKeys.apiKeyHash(hash)),
  );
  const found = new Map(items.flatMap((item) => apiKeyHashOf(item) ?? []).map((item) => [item.hash, item]));
  return stored.map((key) => {
    const { last_used = null, suspended = false } = found.get(key.hash) ?? {};
    return ApiKey.parse({ ...key, last_used, suspended });
  });
}
