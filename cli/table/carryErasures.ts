import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys, itemTypeOf, organisationIdOf } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { isWritten, updateItem, updateOf } from "../../functions/table/writes.ts";
import { eraseOrganisation } from "../organisation/eraseOrganisation.ts";
import { readAudit } from "../organisation/organisation.ts";
import { UsageError } from "../shared/command.ts";
import { scanItems, type Waiting, type Wanted } from "./scanTable.ts";

/** The time of a restore, and the organisation that it is for, which is left as it was. */
export interface Restored {
  since: Date;
  kept?: number | undefined;
}

/**
 * Erases from a restored table the organisations that were erased since. Revokes API keys that are revoked in the current table, or gone from it
 * because their organisation was erased and restored.
 * @param to has the current audit.
 * @returns the erased organisations.
 */
export async function carryErasures(
  from: Table,
  to: Table,
  { since, kept }: Restored,
  waiting: Waiting,
): Promise<number[]> {
  const entries = (await readAudit(to, waiting.pause)).filter(
    ({ action, time }) => /^(erasure|restoration)$/.test(action) && new Date(time) > since,
  );
  // The last entry of each organisation.
  const lastEntries = new Map(entries.map((entry) => [Number(entry.organisation_id), entry]));
  if (kept !== undefined) lastEntries.delete(kept);
  const erased = [...lastEntries].filter(([, { action }]) => action === "erasure").map(([id]) => id);
  for (const organisationId of erased) await eraseAgain(to, organisationId, waiting);
  // Ignores restorations after the switch, which only the restored table's audit has, and keys created after a restoration.
  const known = new Set((await readAudit(from, waiting.pause)).map(({ id }) => id));
  const isGone = ({ organisation_id, id }: z.infer<typeof StoredKey>) => {
    const last = lastEntries.get(organisation_id);
    return last?.action === "restoration" && known.has(last.id) && id < last.id;
  };
  await revokeKeys(from, to, { isGone, kept }, waiting);
  return erased;
}

async function eraseAgain(table: Table, organisationId: number, { pause, signal }: Waiting): Promise<void> {
  const erased = { counts: {}, passes: 0 };
  // The stream of the restored table has no consumer yet.
  const settle = async () => undefined;
  if (await eraseOrganisation(table, organisationId, erased, { pause, settle, signal })) return;
  throw new UsageError(`Table ${table.name()} still gets items of organisation ${organisationId}, which was erased.`);
}

const StoredKey = z.object({
  PK: z.string(),
  SK: z.string(),
  id: z.string(),
  hash: z.string(),
  organisation_id: z.int(),
});

const apiKeyType = itemTypeOf(itemKeys.apiKey(1, ""));
const activeKeys: Wanted = {
  filter: "#status = :active AND attribute_exists(#hash)",
  values: { ":active": "active" },
  names: { "#status": "status", "#hash": "hash" },
};

/** Revokes the active keys of a restored table that are revoked in the current one, or gone from it. */
async function revokeKeys(
  from: Table,
  to: Table,
  { isGone, kept }: { isGone: (key: z.infer<typeof StoredKey>) => boolean; kept: number | undefined },
  { pause, signal }: Waiting,
): Promise<void> {
  const settle = async (item: Item) => {
    const key = StoredKey.parse({ organisation_id: organisationIdOf(String(item.PK)), ...item });
    const { PK, SK } = key;
    if (key.organisation_id === kept) return;
    const current = await retryWhileUnavailable(() => getItem(from, itemKeys.apiKeyHash(key.hash)), pause);
    if (current ? current.status !== "revoked" : !isGone(key)) return;
    const { revoked = new Date().toISOString(), revoked_by = "Platform team" } = current ?? {};
    const revocation = { status: "revoked", ...(itemTypeOf(key) === apiKeyType && { revoked, revoked_by }) };
    const isActive = {
      condition: "#status = :active",
      names: { "#status": "status" },
      values: activeKeys.values ?? {},
    };
    const update = updateOf({ set: revocation }, isActive);
    await isWritten(retryWhileUnavailable(() => updateItem(to, { PK, SK }, update), pause));
  };
  await scanItems(to, activeKeys, settle, { pause, signal });
}
