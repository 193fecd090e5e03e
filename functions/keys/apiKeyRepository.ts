import * as z from "zod";
import { excerpt } from "../log/logger.ts";
import type { PersonPrincipal } from "../people/personPrincipal.ts";
import { notFound, Problem } from "../problem.ts";
import { timeOrderedId } from "../resources/fields.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { ConditionFailed } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { keys, lists } from "../table/keys.ts";
import { getItem, getItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { ApiKey, ApiKeyActivity } from "./apiKey.ts";
import { ApiKeyHash } from "./apiKeyHashes.ts";
import { Scope } from "./apiKeyPrincipal.ts";
import { mintApiKey, mintTag, seal, unseal } from "./apiKeySecret.ts";

/** The person who changes a key, for the audit trail. */
export type Actor = Pick<PersonPrincipal, "name" | "subject">;

/**
 * An API key for its organisation's super-admins. The hash identifies the authorizer's item for the same key, which has the last use. Keys of
 * earlier versions of this service lack the links.
 */
const StoredApiKey = ApiKey.omit({ last_used: true }).extend({
  hash: z.string(),
  replaces: z.string().nullable().default(null),
  replaced_by: z.string().nullable().default(null),
});
type StoredApiKey = z.infer<typeof StoredApiKey>;

interface CreatedKey {
  /** The secret, which is not stored in clear and cannot be shown again, except to a repetition of the same request. */
  key: string;
  stored: StoredApiKey;
  isReplayed: boolean;
}

interface CreationOptions {
  /** The id of an active key. */
  replaces?: string | null;
  /** Hard to guess, since the secret is stored encrypted with it. */
  idempotencyKey?: string;
}

/** The data that a repeated creation needs: the key's id and its secret, encrypted with the Idempotency-Key. */
const Creation = z.object({ id: z.string(), sealed_key: z.string() });

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
     * Creates a key. Its scopes always include `read`. The same request with the same Idempotency-Key within 24 hours returns the same key.
     * @throws Problem `conflict` if the organisation is suspended, or if the key to replace is not active or has an active successor.
     * @throws Problem `idempotency_mismatch`
     */
    async create(name: string, scopes: Scope[], actor: Actor, options: CreationOptions = {}): Promise<CreatedKey> {
      const { replaces = null, idempotencyKey } = options;
      const granted = withRead(scopes);
      const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createApiKey", name, granted, replaces]);
      const earlier = await replayed(table, organisationId, request, idempotencyKey);
      if (earlier) return earlier;
      const { tag = mintTag(), isTagged } = await accessOf(table, organisationId);
      const { key, ...minted } = mintApiKey(tag);
      const stored = newKey(name, granted, actor, { ...minted, replaces });
      const entry = request && { id: stored.id, sealed_key: seal(key, String(idempotencyKey)) };
      try {
        await transactWrite(table, [
          ...creation(organisationId, stored, actor, await replaceable(table, organisationId, replaces)),
          { key: keys.access(organisationId), change: permission(tag) },
          ...(isTagged ? [] : [{ put: { ...keys.keyTag(tag), organisation_id: organisationId } }]),
          ...(entry ? [idempotencyEntry(organisationId, request, entry)] : []),
        ]);
        return { key, stored, isReplayed: false };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        const replay = await replayed(table, organisationId, request, idempotencyKey);
        if (replay) return replay;
        // The organisation's first keys were created at the same time.
        if ((await accessOf(table, organisationId)).tag !== tag) return this.create(name, scopes, actor, options);
        return refuse(table, organisationId, replaces);
      }
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

function withRead(scopes: Scope[]): Scope[] {
  return Scope.options.filter((scope) => scope === "read" || scopes.includes(scope));
}

async function replayed(
  table: Table,
  organisationId: number,
  request: IdempotencyKey | undefined,
  idempotencyKey = "",
): Promise<CreatedKey | undefined> {
  if (!request) return undefined;
  const entry = replayOf(await getItem(table, keys.idempotency(organisationId, request.hash)), request, Creation);
  if (!entry) return undefined;
  const stored = await getStored(table, keys.apiKey(organisationId, entry.id));
  return { key: unseal(entry.sealed_key, idempotencyKey), stored, isReplayed: true };
}

function newKey(
  name: string,
  scopes: Scope[],
  actor: Actor,
  own: Pick<StoredApiKey, "prefix" | "hash" | "replaces">,
): StoredApiKey {
  const created = new Date().toISOString();
  const unrevoked = { status: "active" as const, revoked: null, revoked_by: null, replaced_by: null };
  return { id: timeOrderedId(created), name, scopes, created, created_by: actor.name, ...unrevoked, ...own };
}

/** The writes of a new key: its two items, its audit entry, and the link from the key that it replaces. */
function creation(
  organisationId: number,
  stored: StoredApiKey,
  actor: Actor,
  replaced: StoredApiKey | undefined,
): TransactWrite[] {
  const { id, name, prefix, scopes, status, hash, created } = stored;
  const forAuthorizer = { id, name, prefix, scopes, status, hash, organisation_id: organisationId, last_used: null };
  return [
    { put: { ...keys.apiKey(organisationId, id), ...stored }, condition: isNew },
    { put: { ...keys.apiKeyHash(hash), ...forAuthorizer }, condition: isNew },
    activity(organisationId, "created", created, stored, actor),
    ...(replaced ? [{ key: keys.apiKey(organisationId, replaced.id), change: replacement(id, replaced) }] : []),
  ];
}

const Access = z.object({ tag: z.string().optional(), suspended: z.string().optional() });

/**
 * What an organisation's keys have in common.
 * @throws Problem `conflict` if the organisation is suspended.
 */
async function accessOf(table: Table, organisationId: number) {
  const access = Access.parse((await getItem(table, keys.access(organisationId))) ?? {});
  if (access.suspended !== undefined) throw new Problem("conflict", "The organisation is suspended.");
  return { ...access, isTagged: access.tag !== undefined };
}

/** The write that makes sure that a new key has the organisation's tag, and that the organisation is not suspended meanwhile. */
function permission(tag: string) {
  return {
    condition: "attribute_not_exists(suspended) AND (attribute_not_exists(tag) OR tag = :tag)",
    update: "SET tag = :tag",
    values: { ":tag": tag },
  };
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Why a key is not created. */
export const noNewKeys =
  "The organisation is suspended, or the key to replace is not active or has an active successor.";

const onlyActiveKeys = "Only an active key of the organisation without an active successor can be replaced.";

/** Only an active key can be revoked. No write sets an existing item back to `active`. */
function revocation(now: string, revokedBy: string) {
  return {
    condition: "#status = :active",
    update: "SET #status = :revoked, revoked = :now, revoked_by = :by",
    names: { "#status": "status" },
    values: { ":active": "active", ":revoked": "revoked", ":now": now, ":by": revokedBy },
  };
}

/** Links a key to its successor. The key stays active, so that its user can switch. */
function replacement(successor: string, { replaced_by }: StoredApiKey) {
  const unreplaced = "(attribute_not_exists(replaced_by) OR attribute_type(replaced_by, :null))";
  const isUnchanged = replaced_by === null ? unreplaced : "replaced_by = :before";
  return {
    condition: `#status = :active AND ${isUnchanged}`,
    update: "SET replaced_by = :successor",
    names: { "#status": "status" },
    values: {
      ":active": "active",
      ":successor": successor,
      ...(replaced_by === null ? { ":null": "NULL" } : { ":before": replaced_by }),
    },
  };
}

/**
 * The key to replace, if there is one: an active key without an active successor.
 * @throws Problem `conflict` that names the successor, if there is one.
 */
async function replaceable(table: Table, organisationId: number, id: string | null): Promise<StoredApiKey | undefined> {
  if (id === null) return undefined;
  const item = await getItem(table, keys.apiKey(organisationId, id));
  const replaced = item && StoredApiKey.parse(item);
  if (replaced?.status !== "active") throw new Problem("conflict", onlyActiveKeys);
  if (replaced.replaced_by === null) return replaced;
  const { name, status } = await getStored(table, keys.apiKey(organisationId, replaced.replaced_by));
  if (status !== "active") return replaced;
  const detail = `The key has a successor already: ${excerpt(name)} (${replaced.replaced_by}). Revoke that one to replace the key again.`;
  throw new Problem("conflict", detail);
}

/** Refuses a creation whose condition failed. It names a successor that was created at the same time. */
async function refuse(table: Table, organisationId: number, replaces: string | null): Promise<never> {
  await replaceable(table, organisationId, replaces);
  throw new Problem("conflict", onlyActiveKeys);
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
