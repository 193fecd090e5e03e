import * as z from "zod";
import { ConditionFailed, describeError } from "../../functions/table/errors.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { isWritten, putItem } from "../../functions/table/writes.ts";
import { isScheduled, itemOf, pollSoon, StoredWebhook } from "../../functions/webhooks/storedWebhook.ts";
import { isAsRestored, restoredWebhook } from "../webhooks/restoredWebhook.ts";
import { carryErasures, type Restored } from "./carryErasures.ts";
import { scanItems, type Waiting, type Wanted } from "./scanTable.ts";

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
 * Entries never change, and revocation is permanent. An organisation's access item is copied as it is now, and so is a webhook, because an
 * earlier state would sign with a replaced secret. Its revision only grows, except by an erasure and a restoration, which increases the secret's version.
 */
const mayChange = ({ revision = 0, secret_version = 0 }: Item) => ({
  condition:
    "attribute_not_exists(PK) OR SK = :access OR revision < :revision OR secret_version < :secret OR (attribute_not_exists(revision) AND #status = :active)",
  names: { "#status": "status" },
  values: {
    ":active": "active",
    ":access": itemKeys.access(1).SK,
    ":revision": revision,
    ":secret": secret_version,
  },
});

/**
 * Carries what is irreversible into an earlier restore of a table, which nobody uses yet. It copies the current API keys, webhooks and audit entries:
 * a key revoked since then stays revoked, and a key created since then works. It repeats the erasures since then. A webhook deleted since then is
 * paused with a new secret.
 * @returns the number of items written, the erased organisations, and the webhooks that the current table does not have: those that are paused, and
 * those that could not be.
 */
export async function carryOver(from: Table, to: Table, restored: Restored, waiting: Waiting) {
  const written = await copyCurrent(from, to, waiting);
  const erased = await carryErasures(from, to, restored, waiting);
  return { written, erased, ...(await settleWebhooks(from, to, waiting)) };
}

async function copyCurrent(from: Table, to: Table, { pause, signal }: Waiting): Promise<number> {
  let written = 0;
  const put = async (item: Item) => {
    if (await isWritten(retryWhileUnavailable(() => putItem(to, item, mayChange(item)), pause))) written += 1;
  };
  await scanItems(from, wanted, put, { pause, signal });
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
  const paused: Paused = { gone: [], failures: [] };
  const settle = async (item: Item) => {
    const current = await retryWhileUnavailable(() => getItem(from, Key.parse(item)), pause);
    if (current) await retryWhileUnavailable(() => schedule(to, item), pause);
    else await pauseGone(to, item, paused, pause);
  };
  await scanItems(to, webhooks, settle, { pause, signal });
  return paused;
}

/** Pauses all webhooks of a table, each with a new secret, because nobody knows what became of them since. */
export async function pauseAllWebhooks(table: Table, { pause, signal }: Waiting): Promise<Paused> {
  const paused: Paused = { gone: [], failures: [] };
  await scanItems(table, webhooks, (item) => pauseGone(table, item, paused, pause), { pause, signal });
  return paused;
}

interface Paused {
  gone: Item[];
  failures: { key: ItemKey; error: unknown }[];
}

export function notPaused(failures: Paused["failures"]): string {
  return failures.map(({ key, error }) => `Not paused: ${key.PK} ${key.SK}: ${describeError(error)}.\n`).join("");
}

async function pauseGone(table: Table, item: Item, { gone, failures }: Paused, pause: Pause): Promise<void> {
  try {
    const paused = isAsRestored(item) ? item : restoredWebhook(item, table.clock.nowMs());
    if (paused !== item) await retryWhileUnavailable(() => putItem(table, paused, isUnchanged(item)), pause);
    gone.push(paused);
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof ConditionFailed)) throw error;
    failures.push({ key: Key.parse(item), error });
  }
}

const isUnchanged = ({ revision }: Item) => ({
  condition: "revision = :revision",
  values: { ":revision": revision },
});

/** Schedules a poll of an active webhook. Keeps its revision, so that another run still copies later changes. */
async function schedule(to: Table, item: Item): Promise<void> {
  const { data: stored } = StoredWebhook.safeParse(item);
  if (stored?.status !== "active" || isScheduled(stored, to.clock.nowMs())) return;
  // The condition fails if a delivery polled it meanwhile.
  await isWritten(putItem(to, itemOf(pollSoon(stored, to.clock.nowMs())), isUnchanged(item)));
}
