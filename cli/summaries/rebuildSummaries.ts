import * as z from "zod";
import { describeError } from "../../functions/ingest/describeError.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { Id } from "../../functions/resources/resourceId.ts";
import { UsageError } from "../../local/usageError.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget } from "../shared/target.ts";
import { type Rebuilt, rebuildSummaries } from "./summaryRebuild.ts";

const usage = `npm run summaries:rebuild -- (--organisation ID [--event ID] | --all) [--endpoint URL] [--table NAME]
  --organisation ID   the summaries of this organisation's events and dates
  --event ID          of this event of it, and of its dates, alone
  --all               of all organisations
  --endpoint URL      in this DynamoDB; left out, in the running local service's, or with --table in that of AWS
  --table NAME        in this table, with the usual AWS credentials and region; left out, in the local service's

Reads the whole table twice. Summaries that are made anew count from 0 up until it is done; the service goes on running.
Exit code: 0 done, 1 done but for items that are not what they should be, 2 it could not run to the end, 130 interrupted.
Running it again is safe, and after 2 and 130 it is needed: until then the summaries lack what was not counted.`;

const interrupted = "Interrupted. Run it again: until then, summaries lack what was not counted.";
const seeHelp = "npm run summaries:rebuild -- --help tells how.";

const id = (option: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/, `--${option} takes an id.`)
    .transform(Number)
    .pipe(Id)
    .optional();

const Options = z
  .object({
    organisation: id("organisation"),
    event: id("event"),
    all: z.boolean(),
    endpoint: z.string().optional(),
    table: z.string().optional(),
  })
  .refine(({ organisation, all }) => all === (organisation === undefined), "Name --organisation ID, or else --all.")
  .refine(({ event, all }) => event === undefined || !all, "--event goes with --organisation.");

/** A page of a scan may take longer than a request of a client's. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

await runCommand(main, interrupted);

async function main(signal: AbortSignal): Promise<number> {
  const { values: given } = parseCommandLine(
    {
      options: {
        organisation: { type: "string" },
        event: { type: "string" },
        all: { type: "boolean", default: false },
        endpoint: { type: "string" },
        table: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    },
    seeHelp,
  );
  if (given.help) {
    console.log(usage);
    return 0;
  }
  const { data: options, error } = Options.safeParse(given);
  if (!options) throw new UsageError(`${error.issues.map(({ message }) => message).join(" ")} ${seeHelp}`);
  const table = await openTarget({ endpoint: options.endpoint, table: options.table });
  const scope = { organisationId: options.organisation, eventId: options.event };
  const rebuilt: Rebuilt = { summaries: 0, items: 0, failures: [] };
  const startMs = performance.now();
  const progress = showProgress(process.stderr, () => ({ records: rebuilt.items, fraction: undefined }));
  try {
    await rebuildSummaries(table, scope, rebuilt, backOff(signal), signal);
  } finally {
    progress.stop();
    console.log(summary(rebuilt, performance.now() - startMs));
  }
  for (const { key, error } of rebuilt.failures) console.error(`Not counted: ${key.PK}: ${describeError(error)}.`);
  return Math.min(rebuilt.failures.length, 1);
}

function summary({ summaries, items, failures }: Rebuilt, elapsedMs: number): string {
  const seconds = (elapsedMs / 1000).toFixed(1);
  return `${count(summaries)} summaries made anew, ${count(items)} items counted, ${count(failures.length)} not, in ${seconds} s.`;
}
