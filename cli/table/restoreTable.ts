import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { openTable, type Table } from "../../functions/data/table/table.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";
import { readAudit } from "../organisation/organisationAudit.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { carryOver } from "./carryOver.ts";
import { restoreTable } from "./tableRestore.ts";

const usage = `npm run table:restore -- --table NAME --to TIME [--new-name NAME]
  --table NAME      of AWS, with the usual AWS credentials and region
  --to TIME         as it was then: ISO 8601 with Z or an offset, to the second
  --new-name NAME   of the table that is made; NAME and the time where left out

Makes a new table, and changes nothing of the old one. API keys and audit entries are carried over as they are now: a key that was
revoked since stays revoked. docs/operators/recovery.md says how to switch a stage to it.
Exit code: 0 done, 2 it could not run to the end, 130 interrupted. Running it again is safe, and is how to go on after 2 and 130.`;

const seeHelp = "npm run table:restore -- --help tells how.";
const lookIntervalMs = 15_000;

const tableName = (option: string, isMissing: string) =>
  z.string(isMissing).regex(/^[\w.-]{3,255}$/, `${option} takes a table's name.`);

const Options = z
  .object({
    table: tableName("--table", "Name --table NAME."),
    to: z.iso.datetime({ offset: true, error: "--to takes a time like 2026-03-01T02:00:00Z." }),
    "new-name": tableName("--new-name", "").optional(),
  })
  .transform(({ table, to, "new-name": newName }) => {
    const time = new Date(to);
    const target = newName ?? `${table}-${time.toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
    return { source: table, target, to: time };
  });

/** A page of a scan may take longer than a request of a client's. */
process.env.DYNAMODB_TIMEOUT_MS ??= "30000";

await runCommand(main, "Interrupted. A restore that has begun goes on by itself. Run it again to go on.");

async function main(signal: AbortSignal): Promise<number> {
  const restore = commandLine();
  if (!restore) {
    console.log(usage);
    return 0;
  }
  const pause = () => wait(lookIntervalMs, undefined, { signal });
  const say = (line: string) => console.error(`${new Date().toISOString()}  ${line}`);
  const streamArn = await restoreTable(new DynamoDBClient({}), restore, { pause, say });
  const from: Table = { ...openTable(), name: () => restore.source };
  const waiting = { pause: backOff(signal), signal };
  const carried = await carryOver(from, { ...from, name: () => restore.target }, waiting);
  const audit = await readAudit(from, waiting.pause);
  const erased = audit.filter(({ action, time }) => action === "erasure" && new Date(time) > restore.to);
  console.log(`${restore.target} is as ${restore.source} was at ${restore.to.toISOString()}.
${count(carried)} items of API keys and of the audit were carried over from ${restore.source}, as they are now.`);
  for (const id of new Set(erased.map(({ organisation_id }) => organisation_id))) {
    console.log(`Organisation ${id} was erased since, and has to be erased again before the switch:
  npm run organisation:erase -- --organisation ${id} --confirm ${id} --actor NAME --table ${restore.target}`);
  }
  console.log(`Switch the stage to it, with its other settings:
  npm run deploy -- -c stage=STAGE -c restoredTableStream=${streamArn}`);
  return 0;
}

function commandLine() {
  const text = { type: "string" } as const;
  const { values } = parseCommandLine(
    { options: { table: text, to: text, "new-name": text, help: { type: "boolean", short: "h", default: false } } },
    seeHelp,
  );
  if (values.help) return undefined;
  const { data: restore, error } = Options.safeParse(values);
  if (!restore) throw new UsageError(`${error.issues.map(({ message }) => message).join(" ")} ${seeHelp}`);
  if (restore.target === restore.source) throw new UsageError("--new-name takes another name than --table's.");
  return restore;
}
