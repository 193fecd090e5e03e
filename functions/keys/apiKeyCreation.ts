import * as z from "zod";
import { excerpt } from "../log/logger.ts";
import { Problem } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { type Actor, activityWrite } from "./activityRepository.ts";
import type { ApiKeyInput } from "./apiKey.ts";
import { Scope } from "./apiKeyPrincipal.ts";
import { mintApiKey, mintProofKey, mintTag } from "./apiKeySecret.ts";
import { aboutKey, getStored, isActiveAt, StoredApiKey } from "./storedApiKey.ts";

interface CreatedKey {
  /** The secret, of which only the hash is stored, so that nobody can see it again. */
  key: string;
  stored: StoredApiKey;
}

export type CreationOptions = Omit<ApiKeyInput, "name" | "scopes"> & { idempotencyKey?: string };

/** What a repeated creation reports: the key that exists. */
const Creation = z.object({ id: z.string() });

/**
 * Creates a key. Its scopes always include `read`.
 * @throws Problem `idempotency_mismatch`, or `conflict` if the organisation is suspended, the key cannot be replaced, or an earlier request
 * with this Idempotency-Key created a key, which `key_id` names.
 */
export async function createKey(
  { organisationId, table }: { organisationId: number; table: Table },
  wanted: CreationOptions & { name: string; scopes: readonly Scope[] },
  actor: Actor,
): Promise<CreatedKey> {
  const { name, scopes: chosen, replaces = null, revokes_at = null, idempotencyKey, ...others } = wanted;
  const scopes = Scope.options.filter((scope) => scope === "read" || chosen.includes(scope));
  const given = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
  // The facts that must be the same in a repeated creation.
  const facts = ["createApiKey", name, scopes, replaces, revokes_at, ...given];
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, facts);
  for (;;) {
    await refuseRepetition(table, organisationId, request);
    const mark = await markOf(table, organisationId);
    const { key, ...minted } = mintApiKey(mark.tag, mark.proof_key);
    const stored = newKey(name, scopes, actor, { ...minted, replaces, revokes_at });
    try {
      await transactWrite(table, [
        ...creation(organisationId, stored, actor, await replaceable(table, organisationId, replaces)),
        ...marking(organisationId, mark),
        ...(request ? [idempotencyEntry(organisationId, request, { id: stored.id }, table.clock)] : []),
      ]);
      return { key, stored };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // This transaction has succeeded before, in a try whose response was lost.
      if (await getItem(table, keys.apiKey(organisationId, stored.id))) return { key, stored };
      await refuseRepetition(table, organisationId, request);
      // Creating it again can succeed only if the organisation's first keys were created at the same time.
      const isOfOtherMark = (await markOf(table, organisationId)).proof_key !== mark.proof_key;
      if (!isOfOtherMark) await refuse(table, organisationId, replaces);
    }
  }
}

/** @throws Problem `conflict` if this request has created a key before, `idempotency_mismatch` */
async function refuseRepetition(table: Table, organisationId: number, request?: IdempotencyKey): Promise<void> {
  if (!request) return;
  const item = await getItem(table, keys.idempotency(organisationId, request.hash));
  const entry = replayOf(item, request, Creation, table.clock);
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

const onlyActiveKeys = "Only an active key of the organisation without an active successor can be replaced.";

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
