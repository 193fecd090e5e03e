import type { Page, PageQuery } from "../resources/page.ts";
import { lists } from "../table/lists.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import type { Actor } from "./activityRepository.ts";
import type { ApiKey } from "./apiKey.ts";
import { planRevocation, renameKey, revokeKey, withLastUse } from "./apiKeyChanges.ts";
import { type CreationOptions, createKey } from "./apiKeyCreation.ts";
import type { Scope } from "./apiKeyPrincipal.ts";
import { StoredApiKey } from "./storedApiKey.ts";

/**
 * One organisation's API keys. A key is two items, one for super-admins and one for the authorizer. One transaction writes both and an entry of
 * the audit trail, so every working key can be listed and revoked, and every change has an entry.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  const place = { organisationId, table };
  return {
    /** One page of the keys, newest first. */
    async list(page: PageQuery): Promise<Page<ApiKey>> {
      const { data, pagination } = await listRows(table, StoredApiKey, lists.apiKeys(organisationId), page);
      return { data: await withLastUse(table, data), pagination };
    },
    create: (name: string, scopes: readonly Scope[], actor: Actor, options: CreationOptions = {}) =>
      createKey(place, { name, scopes, ...options }, actor),
    revoke: (id: string, actor: Actor) => revokeKey(place, id, actor),
    planRevocation: (id: string, revokes_at: string | null, actor: Actor) =>
      planRevocation(place, id, revokes_at, actor),
    rename: (id: string, name: string, actor: Actor) => renameKey(place, id, name, actor),
  };
}
