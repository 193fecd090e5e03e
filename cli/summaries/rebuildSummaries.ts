import * as z from "zod";
import { Id } from "../../functions/resources/fields.ts";
import { Contribution } from "../../functions/summaries/contribution.ts";
import type { Failure } from "../../functions/summaries/countReader.ts";
import { countUntilTaken } from "../../functions/summaries/summaries.ts";
import { type Counted, countedOf, countedSortKeys, countsAnything } from "../../functions/summaries/summaryShares.ts";
import { resetContribution, resetSummary } from "../../functions/summaries/summaryWriter.ts";
import { describeError } from "../../functions/table/errors.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, keys, organisationIdOf, organisationPrefix } from "../../functions/table/keys.ts";
import type { Table } from "../../functions/table/table.ts";
import { backOff, type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { command, flag, type Io, idOption, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { scanPages, type Wanted } from "../table/scanTable.ts";

/** One event's summaries and its dates', one organisation's, or by default all. */
export interface Scope {
  organisationId?: number | undefined;
  eventId?: number | undefined;
}

/** The progress so far. */
export interface Rebuilt {
  summaries: number;
  items: number;
  /** The items that could not be counted because they do not match their keys. */
  failures: Failure[];
}

const Key = z.object({ PK: z.string(), SK: z.string() });
const DateItem = z.object({ PK: z.string(), id: Id, event_id: Id });
const countedAtATime = 100;

/**
 * Makes summaries equal to a recount of their items, even if summaries or contributions were damaged. First resets every summary to 0,
 * then counts all items with the stream consumer's code, while that consumer keeps running.
 *
 * @param rebuilt is updated during the run.
 */
export async function rebuildSummaries(
  table: Table,
  scope: Scope,
  rebuilt: Rebuilt,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
): Promise<void> {
  const { summaries, damaged } = await survey(table, scope, pause);
  for (const key of summaries.values()) {
    if (signal.aborted) return;
    await untilAnswered(() => resetSummary(table, key), pause);
    rebuilt.summaries += 1;
  }
  for await (const page of scanPages(table, itemsOf(scope), { pause })) {
    const toCount = page.flatMap((item) => itemIn(item, summaries) ?? []);
    for (let start = 0; start < toCount.length && !signal.aborted; start += countedAtATime) {
      const batch = toCount.slice(start, start + countedAtATime);
      for (const partition of batch.flatMap(({ partitions }) => partitions))
        if (damaged.delete(partition)) await resetContribution(table, partition);
      await countBatch(
        table,
        batch.map(({ key }) => key),
        rebuilt,
        pause,
      );
    }
    if (signal.aborted) return;
  }
}

/** The summaries of the scope by partition key, and the partitions with an invalid contribution. */
async function survey(table: Table, scope: Scope, pause: Pause) {
  const summaries = new Map<string, ItemKey>();
  const damaged = new Set<string>();
  const eventOf = ({ PK }: ItemKey) =>
    scope.eventId === undefined ? undefined : keys.eventSummary(organisationIdOf(PK), scope.eventId).PK;
  for await (const page of scanPages(table, itemsOf(scope), { pause })) {
    for (const item of page) {
      const key = Key.parse(item);
      const named = summariesNamedBy(key, item);
      if (!named) damaged.add(key.PK);
      const event = eventOf(key);
      if (event !== undefined && !named?.some(({ PK }) => PK === event)) continue;
      for (const { PK, SK } of named ?? []) summaries.set(PK, { PK, SK });
    }
  }
  return { summaries, damaged };
}

/** The summaries that an item counts in, or the summary that it is; undefined if the item is invalid. */
function summariesNamedBy(key: ItemKey, item: Item): ItemKey[] | undefined {
  const organisationId = organisationIdOf(key.PK);
  switch (key.SK) {
    case keys.eventSummary(1, 1).SK:
    case keys.dateSummary(1, 1).SK:
      return [key];
    case keys.contribution("").SK:
      return Contribution.safeParse(item).data?.shares;
    case keys.event_date(1, 1).SK: {
      const { data: date } = DateItem.safeParse(item);
      return date && [keys.eventSummary(organisationId, date.event_id), keys.dateSummary(organisationId, date.id)];
    }
    default:
      return readable(key, item)?.summaries ?? [];
  }
}

/**
 * An item that may count in one of the summaries, or is too damaged to know, and the partitions of the contributions that its count changes;
 * undefined for another item.
 */
function itemIn(item: Item, summaries: ReadonlyMap<string, ItemKey>) {
  const key = Key.parse(item);
  if (!countedSortKeys.includes(key.SK)) return undefined;
  const counted = readable(key, item);
  if (!counted) return { key, partitions: [key.PK] };
  const isIn = countsAnything(counted) && counted.summaries.some(({ PK }) => summaries.has(PK));
  return isIn ? { key, partitions: [key.PK, counted.order ?? key.PK] } : undefined;
}

function readable(key: ItemKey, item: Item): Counted | undefined {
  try {
    return countedOf(key, item);
  } catch {
    return undefined;
  }
}

async function countBatch(table: Table, batch: ItemKey[], rebuilt: Rebuilt, pause: Pause): Promise<void> {
  const changes = batch.map((key) => ({ key, sequenceNumbers: [] }));
  const failures = await countUntilTaken(table, changes, pause);
  rebuilt.failures.push(...failures);
  rebuilt.items += batch.length - failures.length;
}

/** All items of the scope's organisation or organisations. */
function itemsOf({ organisationId }: Scope): Wanted {
  const prefix = organisationId === undefined ? "ORG#" : organisationPrefix(organisationId);
  return { filter: "begins_with(PK, :prefix)", values: { ":prefix": prefix } };
}

const about = `Counts summaries again. Reads the whole table twice. Meanwhile the service keeps running, and the summaries being rebuilt count up from 0.
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
    event: option(idOption("--event").optional(), "ID", "only those of this event and its dates"),
    all: flag("rebuild the summaries of all organisations"),
    ...targetOptions,
  })
  .refine(({ organisation, all }) => all === (organisation === undefined), "Give either --organisation ID or --all.")
  .refine(({ event, all }) => event === undefined || !all, "--event requires --organisation.");

export const main = command({ name: "summaries rebuild", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const table = await openTarget(options);
  const scope = { organisationId: options.organisation, eventId: options.event };
  const rebuilt: Rebuilt = { summaries: 0, items: 0, failures: [] };
  const progress = showProgress(stderr, () => rebuilt.items);
  try {
    await rebuildSummaries(table, scope, rebuilt, { pause: backOff(signal), signal });
  } finally {
    const seconds = progress.stop();
    const { summaries, items, failures } = rebuilt;
    stdout.write(
      `${count(summaries)} summaries rebuilt, ${count(items)} items counted, ${count(failures.length)} not counted, in ${seconds} s.\n`,
    );
  }
  for (const { key, error } of rebuilt.failures) stderr.write(`Not counted: ${key.PK}: ${describeError(error)}.\n`);
  return Math.min(rebuilt.failures.length, 1);
}
