import * as z from "zod";
import { excerpt } from "../log/logger.ts";
import { notFound, Problem } from "../problem.ts";
import { timeOrderedId } from "../resources/fields.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import { ConditionFailed } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { type ItemKey, keys, lists } from "../table/keys.ts";
import { getItem, getItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type Expression, type TransactWrite, transactWrite, updateOf } from "../table/writes.ts";
import { type Activity, type Actor, activityWrite, type KeyAction } from "./activityRepository.ts";
import { ApiKey } from "./apiKey.ts";
import { ApiKeyHash, isDue } from "./apiKeyHashes.ts";
import { Scope } from "./apiKeyPrincipal.ts";
import { mintApiKey, mintProofKey, mintTag } from "./apiKeySecret.ts";

/**
 * An API key for its organisation's super-admins. The hash identifies the authorizer's item for the same key, which has the last use. When
 * a planned revocation takes effect, this item keeps saying `active`, and parsing makes it `revoked`.
 */
const StoredApiKey = storedForm(ApiKey.omit({ last_used: true }))
  .extend({ hash: z.string(), revokes_by: z.string().optional() })
  .transform(({ revokes_by = null, ...key }) =>
    key.status === "active" && key.revokes_at !== null && isDue({ revokes_at: key.revokes_at }, new Date())
      ? { ...key, status: "revoked" as const, revoked: key.revokes_at, revoked_by: revokes_by, revokes_at: null }
      : key,
  );
type StoredApiKey = z.infer<typeof StoredApiKey>;

interface CreatedKey {
  /** The secret, of which only the hash is stored, so that nobody can see it again. */
  key: string;
  stored: StoredApiKey;
}

interface CreationOptions {
  /** The id of an active key. */
  replaces?: string | null;
  /** When the key will be revoked, in UTC. */
  revokes_at?: string | null;
  idempotencyKey?: string;
}

/** What a repeated creation reports: the key that exists. */
const Creation = z.object({ id: z.string() });

/**
 * One organisation's API keys. A key is two items, one for super-admins and one for the authorizer. One transaction writes both and an entry of
 * the audit trail, so every working key can be listed and revoked, and every change has an entry.
 */
export function apiKeyRepository(organisationId: number, table: Table) {
  const get = (id: string) => getStored(table, keys.apiKey(organisationId, id));
  const change = async (id: string, to: Change, actor: Actor) => {
    const isMade = await transactChange(table, writesOf(organisationId, await get(id), to, actor));
    return { key: ApiKey.parse((await withLastUse(table, [await get(id)]))[0]), isMade };
  };
  return {
    /** One page of the keys, newest first. */
    async list(page: PageQuery): Promise<Page<ApiKey>> {
      const { data, pagination } = await listRows(table, StoredApiKey, lists.apiKeys(organisationId), page);
      return { data: await withLastUse(table, data), pagination };
    },

    /**
     * Creates a key. Its scopes always include `read`.
     * @throws Problem `idempotency_mismatch`, or `conflict` if the organisation is suspended, the key cannot be replaced, or an earlier request
     * with this Idempotency-Key created a key, which `key_id` names.
     */
    async create(name: string, scopes: Scope[], actor: Actor, options: CreationOptions = {}): Promise<CreatedKey> {
      const { replaces = null, revokes_at = null, idempotencyKey } = options;
      const granted = withRead(scopes);
      const request = idempotencyKeyOf(actor.subject, idempotencyKey, factsOf(name, granted, options));
      await refuseRepetition(table, organisationId, request);
      const mark = await markOf(table, organisationId);
      const { key, ...minted } = mintApiKey(mark.tag, mark.proof_key);
      const stored = newKey(name, granted, actor, { ...minted, replaces, revokes_at });
      try {
        await transactWrite(table, [
          ...creation(organisationId, stored, actor, await replaceable(table, organisationId, replaces)),
          ...marking(organisationId, mark),
          ...(request ? [idempotencyEntry(organisationId, request, { id: stored.id })] : []),
        ]);
        return { key, stored };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // This transaction has succeeded before, in a try whose response was lost.
        if (await getItem(table, keys.apiKey(organisationId, stored.id))) return { key, stored };
        await refuseRepetition(table, organisationId, request);
        // The organisation's first keys were created at the same time.
        if ((await markOf(table, organisationId)).proof_key !== mark.proof_key)
          return this.create(name, scopes, actor, options);
        return refuse(table, organisationId, replaces);
      }
    },

    /**
     * Revokes a key permanently. Once this returns, the authorizer rejects the key. Revoking a revoked key changes nothing.
     * @throws Problem `not_found`
     */
    revoke: async (id: string, actor: Actor): Promise<ApiKey> => revoked((await change(id, "revoke", actor)).key),

    /**
     * Plans a revocation, moves or withdraws it. The authorizer rejects the key from that time on.
     * @param revokes_at in UTC, in the future; null withdraws it.
     * @throws Problem `not_found`, `conflict` if the key is revoked.
     */
    async planRevocation(id: string, revokes_at: string | null, actor: Actor): Promise<ApiKey> {
      const { key, isMade } = await change(id, { revokes_at }, actor);
      if (!isMade || key.status === "revoked") throw new Problem("conflict", revokedAlready);
      return key;
    },

    /** Changes the name of a key, active or revoked. @throws Problem `not_found` */
    rename: async (id: string, name: string, actor: Actor): Promise<ApiKey> => (await change(id, { name }, actor)).key,
  };
}

type Change = "revoke" | { revokes_at: string | null } | { name: string };

/** The writes of a change: to both items of the key, and the audit entry. None if the key is already so. */
function writesOf(organisationId: number, stored: StoredApiKey, change: Change, actor: Actor): TransactWrite[] {
  const now = new Date().toISOString();
  const write = (expression: Expression, entry: TransactWrite, ofAuthorizer = expression): TransactWrite[] => [
    { key: keys.apiKey(organisationId, stored.id), change: expression },
    { key: keys.apiKeyHash(stored.hash), change: ofAuthorizer },
    entry,
  ];
  const noted = (action: KeyAction, details: Details = {}, key = stored) =>
    activityWrite(organisationId, aboutKey(action, key, details), actor, now);
  const planned = ["revokes_at", "revokes_by"];
  if (change !== "revoke" && "name" in change) {
    if (stored.name === change.name) return [];
    const renamed = noted("renamed", { former_name: stored.name }, { ...stored, ...change });
    return write(updateOf({ set: change }, { condition: "attribute_exists(PK)" }), renamed);
  }
  if (stored.status !== "active") return [];
  if (change === "revoke") {
    const set = { status: "revoked", revoked: now, revoked_by: actor.name };
    const changes = { set, remove: planned };
    // The authorizer's clock may have been ahead, so that it has revoked its item already.
    const ofAuthorizer = updateOf(changes, { condition: "attribute_exists(PK)" });
    return write(updateOf(changes, isActiveAt(now)), noted("revoked"), ofAuthorizer);
  }
  const { revokes_at } = change;
  if (stored.revokes_at === revokes_at) return [];
  const changes = revokes_at === null ? { remove: planned } : { set: { revokes_at, revokes_by: actor.name } };
  const action = revokes_at === null ? "revocation_withdrawn" : "revocation_planned";
  return write(updateOf(changes, isActiveAt(now)), noted(action, { revokes_at }));
}

type Details = Partial<Pick<Activity, "former_name" | "scopes" | "revokes_at">>;

/** What the audit entry for a change of a key says. */
function aboutKey(action: KeyAction, { id, name, prefix }: StoredApiKey, details: Details) {
  return { kind: "api_key", action, key_id: id, key_name: name, key_prefix: prefix, ...details } as const;
}

/** A key that was just revoked. */
function revoked(key: ApiKey): ApiKey {
  if (key.status !== "revoked") throw new Error(`The two items of the key ${key.id} do not match.`);
  return key;
}

/** @returns false if another change came first, and nothing was written. */
async function transactChange(table: Table, writes: TransactWrite[]): Promise<boolean> {
  if (writes.length === 0) return true;
  try {
    await transactWrite(table, writes);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

/** The facts that must be the same in a repeated creation. */
function factsOf(name: string, scopes: Scope[], { replaces = null, revokes_at = null }: CreationOptions): unknown[] {
  return ["createApiKey", name, scopes, replaces, revokes_at];
}

function withRead(scopes: Scope[]): Scope[] {
  return Scope.options.filter((scope) => scope === "read" || scopes.includes(scope));
}

/** @throws Problem `conflict` if this request has created a key before, `idempotency_mismatch` */
async function refuseRepetition(table: Table, organisationId: number, request?: IdempotencyKey): Promise<void> {
  if (!request) return;
  const entry = replayOf(await getItem(table, keys.idempotency(organisationId, request.hash)), request, Creation);
  if (!entry) return;
  const detail = `An earlier request with this Idempotency-Key created the key ${entry.id}. Its secret cannot be shown again: revoke the key, and create another with a new Idempotency-Key.`;
  throw new Problem("conflict", detail, { key_id: entry.id });
}

function newKey(
  name: string,
  scopes: Scope[],
  actor: Actor,
  own: Pick<StoredApiKey, "prefix" | "hash" | "replaces" | "revokes_at">,
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
  const { revokes_at, ...key } = stored;
  const { id, name, prefix, scopes, status, hash, created } = key;
  const planned = revokes_at === null ? {} : { revokes_at, revokes_by: actor.name };
  const forAuthorizer = { id, name, prefix, scopes, status, hash, organisation_id: organisationId, last_used: null };
  return [
    { put: { ...keys.apiKey(organisationId, id), ...key, ...planned }, condition: isNew },
    { put: { ...keys.apiKeyHash(hash), ...forAuthorizer, ...planned }, condition: isNew },
    activityWrite(organisationId, aboutKey("created", stored, { scopes, revokes_at }), actor, created),
    ...(replaced ? [{ key: keys.apiKey(organisationId, replaced.id), change: replacement(id, replaced) }] : []),
  ];
}

const Access = z
  .object({ tag: z.string(), proof_key: z.string() })
  .partial()
  .extend({ suspended: z.string().optional() });

/** What an organisation's keys have in common: their tag, and the key of their proofs. */
interface Mark {
  tag: string;
  proof_key: string;
  isStored: boolean;
}

/**
 * The mark of an organisation's keys, or a new one.
 * @throws Problem `conflict` if the organisation is suspended.
 */
async function markOf(table: Table, organisationId: number): Promise<Mark> {
  const access = Access.parse((await getItem(table, keys.access(organisationId))) ?? {});
  if (access.suspended !== undefined) throw new Problem("conflict", "The organisation is suspended.");
  const { tag = mintTag(), proof_key = mintProofKey() } = access;
  return { tag, proof_key, isStored: access.tag !== undefined && access.proof_key !== undefined };
}

/** The writes that make sure that a new key has the organisation's mark, and that the organisation is not suspended meanwhile. */
function marking(organisationId: number, { tag, proof_key, isStored }: Mark): TransactWrite[] {
  const isSame = (name: string) => `(attribute_not_exists(${name}) OR ${name} = :${name})`;
  const change = {
    condition: `attribute_not_exists(suspended) AND ${isSame("tag")} AND ${isSame("proof_key")}`,
    update: "SET tag = :tag, proof_key = :proof_key",
    values: { ":tag": tag, ":proof_key": proof_key },
  };
  const mark = { put: { ...keys.keyTag(tag), organisation_id: organisationId, proof_key } };
  return [{ key: keys.access(organisationId), change }, ...(isStored ? [] : [mark])];
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Why a key is not created. */
export const noNewKeys =
  "The organisation is suspended, the key to replace is not active or has an active successor, or an earlier request with this `Idempotency-Key` created a key, which `key_id` names.";

const onlyActiveKeys = "Only an active key of the organisation without an active successor can be replaced.";

/** Why a revocation cannot be planned. */
export const revokedAlready = "The key is revoked already.";

/** True for an active key without a planned revocation, or whose time is still ahead. No write sets an existing item back to `active`. */
function isActiveAt(now: string) {
  return {
    condition: "#status = :active AND (attribute_not_exists(revokes_at) OR revokes_at > :now)",
    names: { "#status": "status" },
    values: { ":active": "active", ":now": now },
  };
}

/** Links a key to its successor. The key stays active, so that its user can switch. */
function replacement(successor: string, { replaced_by }: StoredApiKey) {
  const { condition, names, values } = isActiveAt(new Date().toISOString());
  return {
    condition: `${condition} AND replaced_by = :before`,
    update: "SET replaced_by = :successor",
    names,
    values: { ...values, ":successor": successor, ":before": replaced_by },
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

async function getStored(table: Table, key: ItemKey): Promise<StoredApiKey> {
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
