import * as z from "zod";
import { ConditionFailed } from "../../functions/table/errors.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { isPlanned, itemOf, pollSoon, StoredWebhook } from "../../functions/webhooks/storedWebhook.ts";
import { isAsRestored, restoredWebhook } from "../webhooks/restoredWebhook.ts";
import { scanInParallel, type Wanted } from "./scanTable.ts";

/** The copied partitions of each organisation: API keys, their common item, webhooks, and the activity of both. */
const ofOrganisation = [
  itemKeys.apiKey(1, ""),
  itemKeys.activity(1, ""),
  itemKeys.access(1),
  itemKeys.webhook(1, ""),
].map(({ PK }) => `#${PK.slice(organisationPrefix(1).length)}`);

const wanted: Wanted = {
  filter: `begins_with(PK, :hash) OR begins_with(PK, :audit) OR (begins_with(PK, :organisation) AND (${ofOrganisation.map((_, index) => `contains(PK, :${index})`).join(" OR ")}))`,
  values: {
    ":hash": itemKeys.apiKeyHash("").PK,
    ":audit": itemKeys.organisationAudit("").PK,
    ":organisation": "ORG#",
    ...Object.fromEntries(ofOrganisation.map((text, index) => [`:${index}`, text])),
  },
};

/**
 * Entries never change, and revocation is permanent. What an organisation's keys have in common is copied as it is now. So is a webhook, whose
 * revision only grows: an earlier state would sign with a replaced secret.
 */
const mayChange = ({ revision = 0 }: Item) => ({
  condition:
    "attribute_not_exists(PK) OR SK = :access OR revision < :revision OR (attribute_not_exists(revision) AND #status = :active)",
  names: { "#status": "status" },
  values: { ":active": "active", ":access": itemKeys.access(1).SK, ":revision": revision },
});

interface Waiting {
  pause: Pause;
  signal: AbortSignal;
}

/**
 * Copies the current API keys, webhooks and audit entries of a table into an earlier restore of it, which nobody uses yet. A key revoked since then
 * stays revoked, and a key created since then works. A webhook deleted since then is paused with a new secret.
 *
 * @returns the number of items written, and the webhooks that the current table does not have: those that are paused, and those that could not be.
 */
export async function carryOver(from: Table, to: Table, waiting: Waiting) {
  const written = await copyCurrent(from, to, waiting);
  return { written, ...(await settleWebhooks(from, to, waiting)) };
}

async function copyCurrent(from: Table, to: Table, { pause, signal }: Waiting): Promise<number> {
  let written = 0;
  const put = async (item: Item) => {
    try {
      await putItem(to, item, mayChange(item));
      written += 1;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  };
  const onPage = async (items: Item[]) => {
    for (const item of items) await retryWhileUnavailable(() => put(item), pause);
  };
  await scanInParallel(from, wanted, onPage, { pause, signal });
  return written;
}

const webhooks: Wanted = {
  filter: "begins_with(PK, :organisation) AND contains(PK, :webhooks)",
  values: {
    ":organisation": "ORG#",
    ":webhooks": `#${itemKeys.webhook(1, "").PK.slice(organisationPrefix(1).length)}`,
  },
};
const Key = z.object({ PK: z.string(), SK: z.string() });

/**
 * Pauses the webhooks that exist only in the restored table, and schedules a poll of the others: its stream begins empty, so nothing else wakes them
 * for the changes that it has.
 */
async function settleWebhooks(from: Table, to: Table, { pause, signal }: Waiting) {
  const gone: Item[] = [];
  const failures: { key: ItemKey; error: unknown }[] = [];
  const settle = async (item: Item) => {
    const key = Key.parse(item);
    const current = await retryWhileUnavailable(() => getItem(from, key), pause);
    if (current) return retryWhileUnavailable(() => schedule(to, item), pause);
    try {
      const paused = isAsRestored(item) ? item : restoredWebhook(item, to.clock.nowMs());
      if (paused !== item) await retryWhileUnavailable(() => putItem(to, paused, isUnchanged(item)), pause);
      gone.push(paused);
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof ConditionFailed)) throw error;
      failures.push({ key, error });
    }
  };
  const onPage = async (items: Item[]) => {
    for (const item of items) await settle(item);
  };
  await scanInParallel(to, webhooks, onPage, { pause, signal });
  return { gone, failures };
}

const isUnchanged = ({ revision }: Item) => ({
  condition: "revision = :revision",
  values: { ":revision": revision },
});

/** Schedules a poll of an active webhook. Keeps its revision, so that another run still copies later changes. */
async function schedule(to: Table, item: Item): Promise<void> {
  const { data: stored } = StoredWebhook.safeParse(item);
  if (stored?.status !== "active" || isPlanned(stored, to.clock.nowMs())) return;
  try {
    await putItem(to, itemOf(pollSoon(stored, to.clock.nowMs())), isUnchanged(item));
  } catch (error) {
    // A delivery polled it meanwhile.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
