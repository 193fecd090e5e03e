import * as z from "zod";
import { Problem } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { type Actor, activityWrite } from "./activityRepository.ts";
import { Scope } from "./apiKeyPrincipal.ts";
import { mintApiKey, mintProofKey, mintTag } from "./apiKeySecret.ts";
import { keyActivity, type StoredApiKey } from "./storedApiKey.ts";

interface CreatedKey {
  /** The secret, of which only the hash is stored, so that nobody can see it again. */
  key: string;
  stored: StoredApiKey;
}

export interface CreationOptions {
  idempotencyKey?: string | undefined;
}

/** What a repeated creation reports: the key that exists. */
const Creation = z.object({ id: z.string() });

/**
 * Creates a key. Its scopes always include `read`.
 * @throws Problem `idempotency_mismatch`, or `conflict` if the organisation is suspended, or an earlier request with this Idempotency-Key created
 * a key, which `key_id` names.
 */
export async function createKey(
  { organisationId, table }: { organisationId: number; table: Table },
  wanted: CreationOptions & { name: string; scopes: readonly Scope[] },
  actor: Actor,
): Promise<CreatedKey> {
  const { name, idempotencyKey } = wanted;
  const scopes = Scope.options.filter((scope) => scope === "read" || wanted.scopes.includes(scope));
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createApiKey", name, scopes]);
  for (;;) {
    await refuseRepetition(table, organisationId, request);
    const mark = await markOf(table, organisationId);
    const { key, ...minted } = mintApiKey(mark.tag, mark.proof_key);
    const stored = newKey(name, scopes, actor, minted);
    try {
      await transactWrite(table, [
        ...creation(organisationId, stored, actor),
        ...marking(organisationId, mark),
        ...(request ? [idempotencyEntry(organisationId, request, { id: stored.id }, table.clock)] : []),
      ]);
      return { key, stored };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // This transaction has succeeded before, in a try whose response was lost.
      if (await getItem(table, keys.apiKey(organisationId, stored.id))) return { key, stored };
      await refuseRepetition(table, organisationId, request);
      // Otherwise the organisation's first keys were created concurrently, and this one needs their tag.
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
  minted: Pick<StoredApiKey, "prefix" | "hash">,
): StoredApiKey {
  const created = new Date().toISOString();
  const active = { status: "active" as const, revoked: null, revoked_by: null };
  return { id: timeOrderedId(created), name, scopes, created, created_by: actor.name, ...active, ...minted };
}

/** The writes of a new key: its two items and its audit entry. */
function creation(organisationId: number, key: StoredApiKey, actor: Actor): TransactWrite[] {
  const { id, name, prefix, scopes, status, hash, created } = key;
  const forAuthorizer = { id, name, prefix, scopes, status, hash, organisation_id: organisationId, last_used: null };
  return [
    { put: { ...keys.apiKey(organisationId, id), ...key }, condition: isNew },
    { put: { ...keys.apiKeyHash(hash), ...forAuthorizer }, condition: isNew },
    activityWrite(organisationId, keyActivity("created", key, { scopes }), actor, created),
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
