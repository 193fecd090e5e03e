import * as z from "zod";
import { type Actor, activityWrite } from "../audit/activityRepository.ts";
import { Problem } from "../problem.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../records/idempotency.ts";
import { Scope } from "../resources/scope.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { isWritten, type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { mintApiKey, mintTag } from "./apiKeySecret.ts";
import { keyActivity, type StoredApiKey } from "./storedApiKey.ts";

interface CreatedKey {
  /** The secret, of which only the hash is stored, so that nobody can see it again. */
  key: string;
  stored: StoredApiKey;
}

/**
 * Creates a key. Its scopes always include `read`.
 * @throws Problem `idempotency_mismatch`, or `conflict` if the organisation is suspended, or an earlier request with this Idempotency-Key created
 * a key, which `key_id` names.
 */
export async function createKey(
  { organisationId, table }: { organisationId: number; table: Table },
  wanted: { name: string; scopes: readonly Scope[]; idempotencyKey?: string | undefined },
  actor: Actor,
): Promise<CreatedKey> {
  const { name, idempotencyKey } = wanted;
  const scopes = Scope.options.filter((scope) => scope === "read" || wanted.scopes.includes(scope));
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createApiKey", name, scopes]);
  for (;;) {
    await refuseRepetition(table, organisationId, request);
    const tag = await tagOf(table, organisationId);
    const { key, ...minted } = mintApiKey(tag);
    const stored = newKey(name, scopes, actor, minted);
    const writes = [
      ...creation(organisationId, stored, actor),
      tagging(organisationId, tag),
      ...(request ? [idempotencyEntry(organisationId, request, { id: stored.id }, table.clock)] : []),
    ];
    if (await isWritten(transactWrite(table, writes))) return { key, stored };
    // An earlier try of this transaction succeeded, but its response was lost.
    if (await getItem(table, itemKeys.apiKey(organisationId, stored.id))) return { key, stored };
    // Otherwise a concurrent request created the key, or the organisation's first key and so its tag, or the organisation was suspended.
  }
}

/** The stored outcome of a creation with an Idempotency-Key. */
const Creation = z.object({ id: z.string() });

/** @throws Problem `conflict` if this request has created a key before, `idempotency_mismatch` */
async function refuseRepetition(table: Table, organisationId: number, request?: IdempotencyKey): Promise<void> {
  if (!request) return;
  const item = await getItem(table, itemKeys.idempotency(organisationId, request.hash));
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

function creation(organisationId: number, key: StoredApiKey, actor: Actor): TransactWrite[] {
  const { id, name, prefix, scopes, status, hash, created } = key;
  const forAuthorizer = { id, name, prefix, scopes, status, hash, organisation_id: organisationId, last_used: null };
  return [
    { put: { ...itemKeys.apiKey(organisationId, id), ...key }, condition: isNew },
    { put: { ...itemKeys.apiKeyHash(hash), ...forAuthorizer }, condition: isNew },
    activityWrite(organisationId, keyActivity("created", key, { scopes }), actor, created),
  ];
}

const Access = z.object({ tag: z.string().optional(), suspended: z.string().optional() });

/** The organisation's tag, or a new one. @throws Problem `conflict` if the organisation is suspended. */
async function tagOf(table: Table, organisationId: number): Promise<string> {
  const { tag = mintTag(), suspended } = Access.parse((await getItem(table, itemKeys.access(organisationId))) ?? {});
  if (suspended !== undefined) throw new Problem("conflict", "The organisation is suspended.");
  return tag;
}

/** The write that stores the tag, on condition that the organisation has no other and is not suspended meanwhile. */
function tagging(organisationId: number, tag: string): TransactWrite {
  const change = {
    condition: "attribute_not_exists(suspended) AND (attribute_not_exists(tag) OR tag = :tag)",
    update: "SET tag = :tag",
    values: { ":tag": tag },
  };
  return { key: itemKeys.access(organisationId), change };
}

const isNew = { condition: "attribute_not_exists(PK)" };
