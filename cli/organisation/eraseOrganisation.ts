import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Table } from "../../functions/data/table/table.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget } from "../shared/target.ts";
import { describeCounts, total } from "./describeCounts.ts";
import { auditStart } from "./organisationAudit.ts";
import { countOrganisation, type Erased, eraseOrganisation, maximumPasses } from "./organisationErasure.ts";
import { Actor, organisationOptions } from "./organisationOptions.ts";

const usage = `npm run organisation:erase -- --organisation ID (--confirm ID --actor NAME | --dry-run)
                              [--settle SECONDS] [--endpoint URL] [--table NAME]
  --organisation ID   whose data is erased, API keys and all
  --confirm ID        the same id again
  --actor NAME        who asks for it, for the audit
  --dry-run           count what there is, and change nothing
  --settle SECONDS    how long consumers of the table's stream are given between two passes; 60 where left out
  --endpoint URL      in this DynamoDB; left out, in the running local service's, or with --table in that of AWS
  --table NAME        in this table, with the usual AWS credentials and region; left out, in the local service's

Its keys stop working first. Then the whole table is read again and again until a pass finds nothing of the organisation.
Let the core system stop sending its records before. docs/operators/recovery.md lists what it cannot reach.
Exit code: 0 nothing is left, 1 somebody goes on writing, 2 it could not run to the end, 130 interrupted.
Running it again is safe, and is how to go on after 1, 2 and 130.`;

const seeHelp = "npm run organisation:erase -- --help tells how.";

const outOfReach = `Out of reach of this command, and gone by itself: logs (30 days), point-in-time backups (35 days), messages and dead letters
of the queues (14 days), files and reports of the import bucket (30 days and a year). Events that have left are with who took them.`;

const stillWriting = `After ${maximumPasses} passes there is still something new: somebody goes on writing. Stop the feed of its records, then run it again.`;

const Options = z
  .object({
    ...organisationOptions,
    confirm: z.string().optional(),
    actor: Actor.optional(),
    "dry-run": z.boolean(),
    settle: z
      .string()
      .regex(/^\d{1,4}$/, "--settle takes seconds.")
      .default("60")
      .transform(Number),
  })
  .refine(
    ({ organisation, confirm, "dry-run": dryRun }) => dryRun || confirm === String(organisation),
    "Say the id again with --confirm ID, or --dry-run to see what there is.",
  )
  .refine(({ actor, "dry-run": dryRun }) => dryRun || actor !== undefined, "Say who you are with --actor NAME.");

/** A page of a scan may take longer than a request of a client's. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

await runCommand(main, "Interrupted. Run it again to go on: until then, a part of the data is left.");

async function main(signal: AbortSignal): Promise<number> {
  const options = commandLine();
  if (!options) {
    console.log(usage);
    return 0;
  }
  const { organisation, actor, "dry-run": dryRun, settle } = options;
  const table = await openTarget({ endpoint: options.endpoint, table: options.table });
  if (dryRun || actor === undefined) return countOnly(table, organisation, signal);
  const pause = backOff(signal);
  const erased: Erased = { counts: {}, passes: 0 };
  const complete = await auditStart(table, { organisation_id: organisation, action: "erasure", actor }, pause);
  const progress = showProgress(process.stderr, () => ({ records: total(erased.counts), fraction: undefined }));
  let isDone = false;
  try {
    const waiting = { pause, settle: () => wait(settle * 1_000, undefined, { signal }), signal };
    isDone = await eraseOrganisation(table, organisation, erased, waiting);
    if (isDone) await complete(erased.counts);
  } finally {
    progress.stop();
    console.log(`Erased of organisation ${organisation}, in ${erased.passes} passes: ${told(erased.counts)}`);
  }
  console.log(isDone ? `Nothing of it is left in the table.\n${outOfReach}` : stillWriting);
  return isDone ? 0 : 1;
}

async function countOnly(table: Table, organisation: number, signal: AbortSignal): Promise<number> {
  const counts = {};
  await countOrganisation(table, organisation, counts, { pause: backOff(signal), signal });
  console.log(`Of organisation ${organisation} there are ${told(counts)}\nNothing was changed.`);
  return 0;
}

function told(counts: Record<string, number>): string {
  return [`${count(total(counts))} items.`, describeCounts(counts)].filter(Boolean).join("\n");
}

function commandLine() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseCommandLine(
    {
      options: {
        organisation: text,
        confirm: text,
        actor: text,
        settle: text,
        endpoint: text,
        table: text,
        "dry-run": flag,
        help: { ...flag, short: "h" },
      },
    },
    seeHelp,
  );
  if (values.help) return undefined;
  const { data: options, error } = Options.safeParse(values);
  if (!options) throw new UsageError(`${error.issues.map(({ message }) => message).join(" ")} ${seeHelp}`);
  return options;
}
