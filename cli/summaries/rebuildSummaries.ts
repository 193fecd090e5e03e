import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { countedSortKeys, ownerOf } from "../../functions/summaries/countedItem.ts";
import { type CountFailure, countItems } from "../../functions/summaries/countRecords.ts";
import { isTombstone } from "../../functions/table/item.ts";
import { itemKeys, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { backOff } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
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

const derived = [itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1), itemKeys.lastCounted("")].map(({ SK }) => SK);
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
  const scan = (sortKeys: readonly string[]) => {
    const prefix = organisationId === undefined ? "ORG#" : organisationPrefix(organisationId);
    const values = Object.fromEntries(sortKeys.map((sortKey, index) => [`:${index}`, sortKey]));
    const filter = `begins_with(PK, :prefix) AND SK IN (${Object.keys(values).join()})`;
    return scanPages(table, { filter, values: { ...values, ":prefix": prefix } }, { pause });
  };
  for await (const page of scan(derived)) {
    signal.throwIfAborted();
    await deleteItems(
      table,
      page.map((item) => Key.parse(item)),
      () => undefined,
      pause,
    );
  }
  for await (const page of scan(countedSortKeys)) {
    const items = page.filter((item) => !isTombstone(item)).map((item) => ({ item, key: Key.parse(item) }));
    for (let start = 0; start < items.length; start += countedAtATime) {
      signal.throwIfAborted();
      const batch = items.slice(start, start + countedAtATime);
      const toCount = batch.map(({ item, key }) => ({ key, owners: [ownerOf(key, item)] }));
      const failures = await countItems(table, toCount, pause);
      rebuilt.failures.push(...failures);
      rebuilt.items += batch.length - failures.length;
    }
  }
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
