import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { ConditionFailed, describeError } from "../../functions/table/tableErrors.ts";
import { putItem } from "../../functions/table/writes.ts";
import { Key, scanItems, type Waiting, type Wanted } from "../table/scanTable.ts";
import { isAsRestored, restoredWebhook } from "./restoredWebhook.ts";

const webhooks: Wanted = {
  filter: "begins_with(PK, :organisation) AND contains(PK, :webhooks)",
  values: {
    ":organisation": "ORG#",
    ":webhooks": `#${itemKeys.webhook(1, "").PK.slice(organisationPrefix(1).length)}`,
  },
};

interface Paused {
  webhooks: Item[];
  failures: { key: ItemKey; error: unknown }[];
}

/** Pauses all webhooks of a table, each with a new secret, because nobody knows what became of them since. */
export async function pauseAllWebhooks(table: Table, { pause, signal }: Waiting): Promise<Paused> {
  const paused: Paused = { webhooks: [], failures: [] };
  await scanItems(table, webhooks, (item) => pauseOne(table, item, paused, pause), { pause, signal });
  return paused;
}

async function pauseOne(table: Table, item: Item, { webhooks, failures }: Paused, pause: Pause): Promise<void> {
  try {
    const paused = isAsRestored(item) ? item : restoredWebhook(item, table.clock.nowMs());
    const isUnchanged = { condition: "revision = :revision", values: { ":revision": item.revision } };
    if (paused !== item) await retryWhileUnavailable(() => putItem(table, paused, isUnchanged), pause);
    webhooks.push(paused);
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof ConditionFailed)) throw error;
    failures.push({ key: Key.parse(item), error });
  }
}

export function notPaused(failures: Paused["failures"]): string {
  return failures.map(({ key, error }) => `Not paused: ${key.PK} ${key.SK}: ${describeError(error)}.\n`).join("");
}
