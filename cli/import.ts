import { parseArgs } from "node:util";
import { UsageError } from "../local/usageError.ts";
import { describeError } from "./describeError.ts";
import { type Counts, importRecords, type Writer } from "./importRecords.ts";
import { openInput } from "./openInput.ts";
import { count, showProgress } from "./progress.ts";
import { readLines } from "./readLines.ts";
import { tableWriter } from "./tableWriter.ts";
import { openTarget } from "./target.ts";
import { backOff } from "./untilTaken.ts";

const usage = `npm run import -- FILE [--dry-run] [--endpoint URL] [--table NAME]
  FILE             input records, one JSON object a line, plain or gzip; - for standard input
  --dry-run        check the records and write nothing
  --endpoint URL   write to this DynamoDB; left out, to the running local service's, or with --table to that of AWS
  --table NAME     write to this table, with the usual AWS credentials and region; left out, to the local service's

Exit code: 0 all records are in, 1 some lines were bad and all others are in, 2 it could not run to the end, 130 interrupted.
Running it again is safe, and is how to go on after 2 and 130.`;

const seeHelp = "npm run import -- --help tells how.";

/** The most bad lines that are told in full; more are only counted. */
const maximumToldLines = 100;

/** A batch of 10 MB over a slow line, or onto a slow disk, takes its time; to give it up would be to send it twice. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());

try {
  process.exit(await main(interruption.signal));
} catch (error) {
  console.error(explain(error));
  process.exit(2);
}

async function main(signal: AbortSignal): Promise<number> {
  const { file, dryRun, help, ...target } = commandLine();
  if (help) {
    console.log(usage);
    return 0;
  }
  const counts: Counts = { written: 0, older: 0, bad: 0 };
  const writer = dryRun ? countOnly(counts) : tableWriter(await openTarget(target), counts, backOff(signal));
  const { chunks, bytesRead, totalBytes } = await openInput(file, signal);
  const startMs = performance.now();
  const progress = showProgress(process.stderr, () => ({
    records: counts.written + counts.older,
    fraction: totalBytes && bytesRead() / totalBytes,
  }));
  const onBadLine = (number: number, problem: string) => {
    counts.bad += 1;
    if (counts.bad <= maximumToldLines) progress.print(`line ${number}: ${problem}`);
    if (counts.bad === maximumToldLines + 1) progress.print("More bad lines are only counted.");
  };
  try {
    await importRecords(readLines(chunks), writer, onBadLine, signal);
  } finally {
    progress.stop();
    console.log(summary(counts, dryRun, performance.now() - startMs));
  }
  if (signal.aborted) console.error("Interrupted. Run it again to go on.");
  return signal.aborted ? 130 : Math.min(counts.bad, 1);
}

function commandLine() {
  const { values, positionals } = parsedArguments();
  const { "dry-run": dryRun, help, endpoint, table } = values;
  const [file = "-"] = positionals;
  if (!help && positionals.length !== 1) throw new UsageError(`Name one FILE, or - for standard input. ${seeHelp}`);
  return { file, dryRun, help, endpoint, table };
}

function parsedArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        endpoint: { type: "string" },
        table: { type: "string" },
      },
    });
  } catch (error) {
    // The first sentence tells what is wrong; the others are advice on quoting.
    const [problem] = describeError(error)
      .replace(/^[A-Z_]+: /, "")
      .split(". ");
    throw new UsageError(`${problem}. ${seeHelp}`);
  }
}

function countOnly(counts: Counts): Writer {
  const nothing = async () => undefined;
  const add = async () => {
    counts.written += 1;
  };
  return { add, finish: nothing, settle: nothing };
}

function summary({ written, older, bad }: Counts, dryRun: boolean, elapsedMs: number): string {
  if (dryRun) return `${count(written)} good records, ${count(bad)} bad lines. Nothing was written.`;
  const seconds = (elapsedMs / 1000).toFixed(1);
  return `${count(written)} records written, ${count(older)} older than stored, ${count(bad)} bad lines, in ${seconds} s.`;
}

/** What the one who runs it can mend is told in a line; the rest are faults of ours, with their stack. */
function explain(error: unknown): unknown {
  if (error instanceof UsageError) return error.message;
  const isRefusal = error instanceof Error && ("$metadata" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `The table refuses: ${describeError(error)}.` : error;
}
