import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { countedSortKeys, isKeptAfterDeletion, ownerOf } from "../../functions/summaries/countedItem.ts";
import { type CountFailure, countItems } from "../../functions/summaries/countRecords.ts";
import { uncounted } from "../../functions/summaries/lastCounted.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { itemKeys, itemTypeOf, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { backOff, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import { putItem } from "../../functions/table/writes.ts";
import { deleteItems } from "../organisation/eraseOrganisation.ts";
import { command, flag, type Io, idOption, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { Key, scanPages, type Waiting } from "../table/scanTable.ts";
import { whileStreamPaused } from "./whileStreamPaused.ts";

export interface Rebuilt {
  items: number;
  /** The items that could not be counted because they do not match their keys. */
  failures: CountFailure[];
}

/** The sort keys of summaries' rows begin with their type. */
const summaryTypes = [itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1)].map(itemTypeOf);
const lastCountedKey = itemKeys.lastCounted("").SK;
const countedAtATime = 100;

/**
 * Deletes the summaries and what was last counted, then counts every item. Nothing else may count meanwhile.
 * @param organisationId undefined for all organisations.
 * @param rebuilt is updated during the run.
 * @throws AbortError when the signal aborts.
 */
export async function rebuildSummaries(
  table: Table,
  organisationId: number | undefined,
  rebuilt: Rebuilt,
  { pause, signal }: Waiting,
): Promise<void> {
  const scan = (sortKeys: readonly string[], prefixes: readonly string[] = []) => {
    const prefix = organisationId === undefined ? "ORG#" : organisationPrefix(organisationId);
    const values = Object.fromEntries([...sortKeys, ...prefixes].map((text, index) => [`:${index}`, text]));
    const names = Object.keys(values);
    const beginnings = names.slice(sortKeys.length).map((name) => `begins_with(SK, ${name})`);
    const wanted = [`SK IN (${names.slice(0, sortKeys.length).join()})`, ...beginnings].join(" OR ");
    const filter = `begins_with(PK, :prefix) AND (${wanted})`;
    return scanPages(table, { filter, values: { ...values, ":prefix": prefix } }, { pause });
  };
  /** Deleted categories, of which only the last count is left. */
  const deleted = new Set<string>();
  for await (const page of scan([lastCountedKey], summaryTypes)) {
    signal.throwIfAborted();
    const kept = new Map(page.flatMap((item) => keptCount(item)));
    const keys = page.map((item) => Key.parse(item)).filter(({ PK }) => !kept.has(PK));
    await deleteItems(table, keys, () => undefined, pause);
    for (const [PK, item] of kept) {
      await retryWhileUnavailable(() => putItem(table, item), pause);
      deleted.add(PK);
    }
  }
  const count = async (toCount: Parameters<typeof countItems>[1]) => {
    signal.throwIfAborted();
    const failures = await countItems(table, toCount, pause);
    rebuilt.failures.push(...failures);
    return toCount.length - failures.length;
  };
  for await (const page of scan(countedSortKeys)) {
    const items = page.filter((item) => !isTombstone(item)).map((item) => ({ item, key: Key.parse(item) }));
    for (const { key } of items) deleted.delete(key.PK);
    for (const batch of batchesOf(items))
      rebuilt.items += await count(batch.map(({ item, key }) => ({ key, owners: [ownerOf(key, item)] })));
  }
  for (const batch of batchesOf([...deleted]))
    await count(batch.map((PK) => ({ key: { PK, SK: itemTypeOf({ PK, SK: "" }) }, owners: [PK] })));
}

/** The last count of a category that may have been deleted, to count again. A damaged one is lost. */
function keptCount(item: Item): [string, Item][] {
  const { PK, SK } = Key.parse(item);
  if (SK !== lastCountedKey || !isKeptAfterDeletion({ PK, SK: itemTypeOf({ PK, SK: "" }) })) return [];
  try {
    return [[PK, uncounted(PK, item)]];
  } catch {
    return [];
  }
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const starts = Array.from({ length: Math.ceil(items.length / countedAtATime) }, (_, index) => index * countedAtATime);
  return starts.map((start) => items.slice(start, start + countedAtATime));
}

const about = `Recounts the summaries of one organisation or of all: give either --organisation or --all. Reads the whole table twice. Meanwhile, the
function that reads the table's stream is paused, so all summaries and webhooks are late; the summaries being rebuilt count up from 0.
With a DynamoDB outside AWS, stop the service first.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130 it is necessary: until then the summaries are incomplete.`;

const interrupted = "Interrupted. Run it again: until then, summaries are incomplete.";

const Options = z
  .object({
    organisation: option(
      idOption("--organisation").optional(),
      "ID",
      "rebuild the summaries of this organisation's events and dates",
    ),
    all: flag("rebuild the summaries of all organisations"),
    ...targetOptions,
  })
  .refine(({ organisation, all }) => all === (organisation === undefined), "Give either --organisation ID or --all.");

export const main = command({ name: "summaries rebuild", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const { stage, endpoint, organisation } = options;
  if (stage === undefined && endpoint === undefined)
    throw new UsageError("The local service counts while it runs. Stop it, and give --endpoint and --table.");
  const table = await openTarget(options);
  const rebuilt: Rebuilt = { items: 0, failures: [] };
  const rebuild = async () => {
    const progress = showProgress(stderr, () => rebuilt.items);
    try {
      await rebuildSummaries(table, organisation, rebuilt, { pause: backOff(signal), signal });
    } finally {
      const seconds = progress.stop();
      const { items, failures } = rebuilt;
      stdout.write(`${count(items)} items counted, ${count(failures.length)} not counted, in ${seconds} s.\n`);
    }
  };
  await (endpoint === undefined ? whileStreamPaused(table, rebuild, signal) : rebuild());
  for (const { key, error } of rebuilt.failures) stderr.write(`Not counted: ${key.PK}: ${describeError(error)}.\n`);
  return Math.min(rebuilt.failures.length, 1);
}
