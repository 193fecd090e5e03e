import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Table } from "../../functions/table/table.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { command, dryRun, type Io, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { Actor, auditStart, describeCounts, organisationOption, total } from "./organisation.ts";
import { countOrganisation, type Erased, eraseOrganisation, maximumPasses } from "./organisationErasure.ts";

const about = `First stops the organisation's API keys from working. Then reads the whole table until a pass finds none of the organisation's items.
Before you start, make the core system stop sending its records. docs/operators/recovery.md lists what this command cannot reach.
Exit codes: 0 nothing left, 1 records are still arriving, 2 failed, 130 interrupted.
Running it again is safe. After 1, 2 or 130, run it again to continue.`;

const outOfReach = `This command cannot reach the following, which expire by themselves: logs (30 days), point-in-time backups (35 days), queue messages
and dead letters (14 days), and the import bucket's files (30 days) and reports (a year). Delivered events remain with their receivers.`;

const stillWriting = `New items still appeared after ${maximumPasses} passes. Stop the feed of this organisation's records, then run it again.`;

const Options = z
  .object({
    organisation: organisationOption,
    confirm: option(z.string().optional(), "ID", "the same id again"),
    actor: option(Actor.optional(), "NAME", "the person who requested it, for the audit"),
    "dry-run": dryRun,
    settle: option(
      z
        .string()
        .regex(/^\d{1,4}$/, "--settle must be a number of seconds, at most 9999.")
        .default("60")
        .transform(Number),
      "SECONDS",
      "time for the table's stream consumers to catch up between two passes; default: 60",
    ),
    ...targetOptions,
  })
  .refine(
    ({ organisation, confirm, "dry-run": isDryRun }) => isDryRun || confirm === String(organisation),
    "Repeat the id with --confirm ID, or count the items with --dry-run.",
  )
  .refine(({ actor, "dry-run": isDryRun }) => isDryRun || actor !== undefined, "--actor is missing.");

const interrupted = "Interrupted. Part of the data is left. Run it again to continue.";

export const main = command({ name: "organisation erase", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { organisation, actor, "dry-run": isDryRun, settle } = options;
  const table = await openTarget(options);
  if (isDryRun || actor === undefined) return countOnly(table, organisation, io);
  const pause = backOff(signal);
  const erased: Erased = { counts: {}, passes: 0 };
  const complete = await auditStart(table, { organisation_id: organisation, action: "erasure", actor }, pause);
  const progress = showProgress(stderr, () => total(erased.counts));
  let isDone = false;
  try {
    const waiting = { pause, settle: () => wait(settle * 1_000, undefined, { signal }), signal };
    isDone = await eraseOrganisation(table, organisation, erased, waiting);
    if (isDone) await complete(erased.counts);
  } finally {
    progress.stop();
    stdout.write(`Erased from organisation ${organisation} in ${erased.passes} passes: ${itemCounts(erased.counts)}\n`);
  }
  stdout.write(`${isDone ? `The table contains no more of the organisation's data.\n${outOfReach}` : stillWriting}\n`);
  return isDone ? 0 : 1;
}

async function countOnly(table: Table, organisation: number, { stdout, signal }: Io): Promise<number> {
  const counts = {};
  await countOrganisation(table, organisation, counts, { pause: backOff(signal), signal });
  stdout.write(`Organisation ${organisation} has ${itemCounts(counts)}\nNothing was changed.\n`);
  return 0;
}

function itemCounts(counts: Record<string, number>): string {
  return [`${count(total(counts))} items.`, describeCounts(counts)].filter(Boolean).join("\n");
}
