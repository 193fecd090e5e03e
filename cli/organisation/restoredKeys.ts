import { erasedRevoked } from "../../functions/keys/apiKeyHashes.ts";
import { StoredApiKey } from "../../functions/keys/storedApiKey.ts";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { ConditionFailed } from "../../functions/table/tableErrors.ts";
import { isWritten, putItem } from "../../functions/table/writes.ts";
import { platformTeam, readAudit } from "./organisation.ts";

/** The organisation to restore, in the table to write to. */
export interface Target {
  table: Table;
  organisationId: number;
  /** The person who restores it. */
  actor: string;
  /** True if the table has every revocation of the organisation's keys. */
  knowsRevocations: boolean;
}

/** An item of the table after a restore tried to write it. */
interface Outcome {
  isNew: boolean;
  stored: Item;
}

export async function putMissing(table: Table, item: Item): Promise<Outcome> {
  try {
    await putItem(table, item, { condition: "attribute_not_exists(PK)" });
    return { isNew: true, stored: item };
  } catch (error) {
    if (error instanceof ConditionFailed) return { isNew: false, stored: error.item ?? item };
    throw error;
  }
}

/**
 * Restores the list's item of an API key. The key is revoked if it was in the source, if its hash is revoked in the table, if
 * the source has no active hash, or if the table does not know every revocation.
 * @param source the item of its hash in the source.
 */
export async function restoreApiKey(
  { table, organisationId, actor, knowsRevocations }: Target,
  item: Item,
  source: Item | undefined,
): Promise<Outcome> {
  const { hash, status, revoked, revoked_by } = StoredApiKey.parse(item);
  const present = await getItem(table, itemKeys.apiKeyHash(hash));
  if ((present?.organisation_id ?? organisationId) !== organisationId)
    throw new Error("Another organisation has this API key");
  const wasActive = status === "active" && source?.status === "active";
  if (wasActive && knowsRevocations && present?.status !== erasedRevoked.status) return putMissing(table, item);
  // An erasure keeps neither the time of a revocation nor the person.
  const [time, person] = [new Date().toISOString(), platformTeam(actor).name];
  const revocation = { ...erasedRevoked, revoked: revoked ?? time, revoked_by: revoked_by ?? person };
  return putMissing(table, { ...item, ...revocation });
}

/**
 * Restores the authorizer's item of an API key with the status that the list now shows. A revoked hash in the table stays revoked.
 * @param source the item of its hash in the source, if it has one.
 * @param listed the key's item in the table's list; without one, nobody could revoke the key, so it is revoked.
 */
export async function restoreHash(
  { table, organisationId }: Target,
  source: Item,
  { listed, areSuspended }: { listed: Item | undefined; areSuspended: boolean },
): Promise<Outcome> {
  const restored: Item = { ...source, ...authorizerPart(listed, organisationId) };
  const item = areSuspended && restored.status === "active" ? { ...restored, suspended: true } : restored;
  const outcome = await putMissing(table, item);
  if (outcome.isNew || outcome.stored.hash !== undefined) return outcome;
  // An erasure has left only that the key is revoked.
  const stored = { ...item, ...erasedRevoked };
  const condition = { condition: "attribute_not_exists(#hash)", names: { "#hash": "hash" } };
  await isWritten(putItem(table, stored, condition));
  return { isNew: true, stored };
}

function authorizerPart(listed: Item | undefined, organisationId: number): Item {
  if (!listed) return erasedRevoked;
  const { id, name, prefix, scopes, hash, status, revoked, revoked_by } = StoredApiKey.parse(listed);
  const key = { id, name, prefix, scopes, hash, status, organisation_id: organisationId };
  return status === "active" ? key : { ...key, revoked, revoked_by };
}

/** Restored API keys must not work while the organisation is suspended. */
export async function isSuspended({ table, organisationId }: Target, pause: Pause): Promise<boolean> {
  const access = await retryWhileUnavailable(() => getItem(table, itemKeys.access(organisationId)), pause);
  return access?.suspended !== undefined;
}

/**
 * True if the table has every revocation of an organisation's keys: only an erasure leaves the hashes of the keys that were revoked before. A table
 * that was adopted from a backup lacks the revocations since.
 */
export async function knowsRevocations(table: Table, organisationId: number, pause: Pause): Promise<boolean> {
  const audit = await readAudit(table, pause);
  const sinceAdoption = audit.slice(audit.findLastIndex(({ action }) => action === "adoption") + 1);
  return sinceAdoption.some(
    ({ organisation_id, action }) => organisation_id === organisationId && action === "erasure",
  );
}
