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
  --organisation ID   whose data
  --actor NAME        who asks for it, for the audit
  --output FILE       the records, one a line, as npm run import takes them; organisation-ID.ndjson where left out.
                      What no record brings goes beside it, to FILE.additions.ndjson
  --endpoint URL      from this DynamoDB; left out, from the running local service's, or with --table from that of AWS
  --table NAME        from this table, with the usual AWS credentials and region; left out, from the local service's

Reads the whole table once. Both files are there when they are whole, and only their owner can read them.
Exit code: 0 done, 1 done but for items that are not what they should be, 2 it could not run to the end, 130 interrupted.
Running it again is safe, and is how to go on after 2 and 130.`;

const seeHelp = "npm run organisation:export -- --help tells how.";
const Options = z.object({ ...organisationOptions, actor: Actor, output: z.string().min(1).optional() });

/** A page of a scan may take longer than a request of a client's. */
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
