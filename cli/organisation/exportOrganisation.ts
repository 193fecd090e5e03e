import * as z from "zod";
import { describeError } from "../../functions/ingest/describeError.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget } from "../shared/target.ts";
import { describeCounts, total } from "./describeCounts.ts";
import { auditStart } from "./organisationAudit.ts";
import { type Exported, exportOrganisation } from "./organisationExport.ts";
import { Actor, organisationOptions } from "./organisationOptions.ts";
import { beginWholeFile, type WholeFile } from "./wholeFile.ts";

const usage = `npm run organisation:export -- --organisation ID --actor NAME [--output FILE] [--endpoint URL] [--table NAME]
  --organisation ID   the organisation to export
  --actor NAME        who requested it, for the audit
  --output FILE       the records, one per line, in the format of npm run import; default: organisation-ID.ndjson.
                      Data without a record goes to FILE.additions.ndjson
  --endpoint URL      read from this DynamoDB; default: the running local service's, or AWS's with --table
  --table NAME        read from this table, with the usual AWS credentials and region; default: the local service's

Reads the whole table once. The two files appear only when they are complete, and only their owner can read them.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again; it starts from the beginning.`;

const seeHelp = "See npm run organisation:export -- --help.";
const Options = z.object({ ...organisationOptions, actor: Actor, output: z.string().min(1).optional() });

/** A page of a scan may take longer than an API request. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

await runCommand(main, "Interrupted. No file was written. Run it again.");

async function main(signal: AbortSignal): Promise<number> {
  const options = commandLine();
  if (!options) {
    console.log(usage);
    return 0;
  }
  const { organisation, actor, output = `organisation-${organisation}.ndjson` } = options;
  const table = await openTarget({ endpoint: options.endpoint, table: options.table });
  const exported: Exported = { counts: {}, failures: [] };
  const files = { records: await beginWholeFile(output), additions: await beginWholeFile(additionsOf(output)) };
  const pause = backOff(signal);
  const progress = showProgress(process.stderr, () => ({ records: total(exported.counts), fraction: undefined }));
  try {
    const complete = await auditStart(table, { organisation_id: organisation, action: "export", actor }, pause);
    await exportOrganisation(table, organisation, files, exported, { pause, signal });
    signal.throwIfAborted();
    await files.additions.keep();
    await files.records.keep();
    await complete(exported.counts);
  } catch (error) {
    await discard(Object.values(files));
    throw error;
  } finally {
    progress.stop();
  }
  console.log(
    `${output} and ${additionsOf(output)}: ${count(total(exported.counts))} lines\n${describeCounts(exported.counts)}`,
  );
  for (const { key, error } of exported.failures) console.error(`Not exported: ${key.PK}: ${describeError(error)}.`);
  return Math.min(exported.failures.length, 1);
}

function commandLine() {
  const text = { type: "string" } as const;
  const { values } = parseCommandLine(
    {
      options: {
        organisation: text,
        actor: text,
        output: text,
        endpoint: text,
        table: text,
        help: { type: "boolean", short: "h", default: false },
      },
    },
    seeHelp,
  );
  if (values.help) return undefined;
  const { data: options, error } = Options.safeParse(values);
  if (!options) throw new UsageError(`${error.issues.map(({ message }) => message).join(" ")} ${seeHelp}`);
  return options;
}

function additionsOf(output: string): string {
  return `${output.replace(/\.ndjson$/, "")}.additions.ndjson`;
}

async function discard(files: WholeFile[]): Promise<void> {
  await Promise.allSettled(files.map((file) => file.discard()));
}
