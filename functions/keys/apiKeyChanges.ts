import { Problem } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type Expression, transactWrite, updateOf } from "../table/writes.ts";
import { type Actor, activityWrite, type KeyAction } from "./activityRepository.ts";
import { ApiKey, revokedAlready } from "./apiKey.ts";
import { ApiKeyHash } from "./apiKeyHashes.ts";
import { aboutKey, type Details, getStored, isActiveAt, type StoredApiKey } from "./storedApiKey.ts";

/** Where an organisation's keys are. */
interface Place {
  organisationId: number;
  table: Table;
}

/** What a planned revocation sets. */
const planned = ["revokes_at", "revokes_by"];

/** A change of both items of a key, and its entry in the audit trail. */
interface Change {
  action: KeyAction;
  details?: Details;
  change: Expression;
  /** The change of the authorizer's item, if that has another condition. */
  ofAuthorizer?: Expression;
  time: string;
}

/** @throws Problem `not_found` */
const get = ({ table, organisationId }: Place, id: string) => getStored(table, keys.apiKey(organisationId, id));

async function getPublic(place: Place, id: string): Promise<ApiKey> {
  return ApiKey.parse((await withLastUse(place.table, [await get(place, id)]))[0]);
}

/** @returns false if another change came first, and nothing was written. */
async function make(
  { table, organisationId }: Place,
  stored: StoredApiKey,
  made: Change,
  actor: Actor,
): Promise<boolean> {
  const { action, details = {}, change, ofAuthorizer = change, time } = made;
  try {
    await transactWrite(table, [
      { key: keys.apiKey(organisationId, stored.id), change },
      { key: keys.apiKeyHash(stored.hash), change: ofAuthorizer },
      activityWrite(organisationId, aboutKey(action, stored, details), actor, time),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

/**
 * Revokes a key permanently. Once this returns, the authorizer rejects the key. Revoking a revoked key changes nothing.
 * @throws Problem `not_found`
 */
export async function revokeKey(place: Place, id: string, actor: Actor): Promise<ApiKey> {
  const stored = await get(place, id);
  if (stored.status === "active") {
    const time = new Date().toISOString();
    const changes = { set: { status: "revoked", revoked: time, revoked_by: actor.name }, remove: planned };
    const change = updateOf(changes, isActiveAt(time));
    // If the authorizer's clock is ahead, it has revoked its item already.
    const ofAuthorizer = updateOf(changes, { condition: "attribute_exists(PK)" });
    await make(place, stored, { action: "revoked", change, ofAuthorizer, time }, actor);
  }
  const key = await getPublic(place, id);
  if (key.status !== "revoked") throw new Error(`The two items of the key ${key.id} do not match.`);
  return key;
}

/**
 * Plans a revocation, moves or withdraws it. The authorizer rejects the key from that time on.
 * @param revokes_at in UTC, in the future; null withdraws it.
 * @throws Problem `not_found`, `conflict` if the key is revoked.
 */
export async function planRevocation(
  place: Place,
  id: string,
  revokes_at: string | null,
  actor: Actor,
): Promise<ApiKey> {
  const stored = await get(place, id);
  let isPlanned = stored.revokes_at === revokes_at;
  if (stored.status === "active" && !isPlanned) {
    const time = new Date().toISOString();
    const changes = revokes_at === null ? { remove: planned } : { set: { revokes_at, revokes_by: actor.name } };
    const action = revokes_at === null ? "revocation_withdrawn" : "revocation_planned";
    const change = updateOf(changes, isActiveAt(time));
    isPlanned = await make(place, stored, { action, details: { revokes_at }, change, time }, actor);
  }
  const key = await getPublic(place, id);
  if (!isPlanned || key.status === "revoked") throw new Problem("conflict", revokedAlready);
  return key;
}

/** Changes the name of a key, active or revoked. @throws Problem `not_found` */
export async function renameKey(place: Place, id: string, name: string, actor: Actor): Promise<ApiKey> {
  const stored = await get(place, id);
  if (stored.name !== name) {
    const change = updateOf({ set: { name } }, { condition: "attribute_exists(PK)" });
    const renamed: Change = {
      action: "renamed",
      details: { former_name: stored.name },
      change,
      time: new Date().toISOString(),
    };
    await make(place, { ...stored, name }, renamed, actor);
  }
  return getPublic(place, id);
}

/** The public form of the keys, with their last use and suspension from the authorizer's items. */
export async function withLastUse(table: Table, stored: StoredApiKey[]): Promise<ApiKey[]> {
  const items = await getItems(
    table,
    stored.map(({ hash }) => keys.apiKeyHash(hash)),
  );
  const found = new Map(items.map((item) => ApiKeyHash.parse(item)).map((item) => [item.hash, item]));
  return stored.map((key) => {
    const { last_used, suspended = false } = found.get(key.hash) ?? {};
    return ApiKey.parse({ ...key, last_used, suspended });
  });
}
