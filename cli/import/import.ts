import { tableWriter, type Writer, type Written } from "../../functions/ingest/tableWriter.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget } from "../shared/target.ts";
import { importFile } from "./importFile.ts";

const usage = `npm run import -- FILE [--dry-run] [--endpoint URL] [--table NAME]
  FILE             input records, one JSON object per line, plain or gzip; - for standard input
  --dry-run        check the records and write nothing
  --endpoint URL   write to this DynamoDB; default: the running local service's, or AWS's with --table
  --table NAME     write to this table, with the usual AWS credentials and region; default: the local service's

Exit codes: 0 all records imported, 1 all records imported except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const seeHelp = "See npm run import -- --help.";

/** A batch of 10 MB can take long over a slow connection or onto a slow disk, and a timeout would send it twice. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

await runCommand(main, "Interrupted. Run it again to continue.");

async function main(signal: AbortSignal): Promise<number> {
  const { file, dryRun, help, ...target } = commandLine();
  if (help) {
    console.log(usage);
    return 0;
  }
  const counts: Written = { written: 0, older: 0 };
  const writer = dryRun ? countOnly(counts) : tableWriter(await openTarget(target), counts, backOff(signal));
  const arrived = () => counts.written + counts.older;
  const summary = (bad: number, seconds: string) =>
    dryRun
      ? `${count(counts.written)} good records, ${count(bad)} bad lines. Nothing was written.`
      : `${count(counts.written)} records written, ${count(counts.older)} older than stored, ${count(bad)} bad lines, in ${seconds} s.`;
  return importFile(file, writer, { arrived, summary }, signal);
}

function commandLine() {
  const { values, positionals } = parseCommandLine(
    {
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        endpoint: { type: "string" },
        table: { type: "string" },
      },
    },
    seeHelp,
  );
  const { "dry-run": dryRun, help, endpoint, table } = values;
  const [file = "-"] = positionals;
  if (!help && positionals.length !== 1) throw new UsageError(`Give one FILE, or - for standard input. ${seeHelp}`);
  return { file, dryRun, help, endpoint, table };
}

function countOnly(counts: Written): Writer {
  const nothing = async () => undefined;
  const add = async () => {
    counts.written += 1;
  };
  return { add, finish: nothing, settle: nothing };
}
