import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { openTable, type Table } from "../../functions/table/table.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { readAudit } from "../organisation/organisationAudit.ts";
import { command, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { carryOver } from "./carryOver.ts";
import { restoreTable } from "./tableRestore.ts";

const usage = `npm run table:restore -- --table NAME --to TIME [--new-name NAME]
  --table NAME      the AWS table to restore, with the usual AWS credentials and region
  --to TIME         the time to restore to: ISO 8601 with Z or an offset, to the second
  --new-name NAME   the new table's name; default: NAME and the time

Creates a new table and leaves the old one unchanged. Copies the current API keys and audit entries, so a key revoked since then stays
revoked. docs/operators/recovery.md describes how to switch a stage to the new table.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe. After 2 or 130, run it again to continue.`;

const lookIntervalMs = 15_000;

const tableName = (option: string) =>
  z.string(`${option} is missing.`).regex(/^[\w.-]{3,255}$/, `${option} must be a table name.`);

const Options = z
  .object({
    table: tableName("--table"),
    to: z.iso.datetime({ offset: true, error: "--to must be a time like 2026-03-01T02:00:00Z." }),
    "new-name": tableName("--new-name").optional(),
  })
  .refine((options) => targetOf(options) !== options.table, "--new-name must differ from --table.");

const interrupted = "Interrupted. DynamoDB continues a restore that has started. Run it again to continue.";

export const main = await command(import.meta, { usage, interrupted, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const restore = { source: options.table, target: targetOf(options), to: new Date(options.to) };
  const pause = () => wait(lookIntervalMs, undefined, { signal });
  const say = (line: string) => stderr.write(`${new Date().toISOString()}  ${line}\n`);
  const streamArn = await restoreTable(new DynamoDBClient({}), restore, { pause, say });
  const from: Table = { ...openTable(), name: () => restore.source };
  const waiting = { pause: backOff(signal), signal };
  const carried = await carryOver(from, { ...from, name: () => restore.target }, waiting);
  const audit = await readAudit(from, waiting.pause);
  const erased = audit.filter(({ action, time }) => action === "erasure" && new Date(time) > restore.to);
  stdout.write(`${restore.target} is ${restore.source} as of ${restore.to.toISOString()}.
Copied ${count(carried)} current API key and audit items from ${restore.source}.\n`);
  for (const id of new Set(erased.map(({ organisation_id }) => organisation_id))) {
    stdout.write(`Organisation ${id} was erased after that time. Erase it again before the switch:
  npm run organisation:erase -- --organisation ${id} --confirm ${id} --actor NAME --table ${restore.target}\n`);
  }
  stdout.write(`Switch the stage to it, together with its other settings:
  npx cdk deploy --all -c stage=STAGE -c restoredTableStream=${streamArn}\n`);
  return 0;
}

function targetOf({ table, to, "new-name": newName }: { table: string; to: string; "new-name"?: string | undefined }) {
  return newName ?? `${table}-${new Date(to).toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
}
