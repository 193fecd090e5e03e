import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { backOff, type Pause } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { actorOption, auditStart, readAudit } from "../organisation/organisation.ts";
import { suspendAll, suspendHash } from "../organisation/suspendOrganisation.ts";
import { command, dryRun, type Io, option, UsageError } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, stageOutput, targetOptions } from "../shared/target.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { notPaused, pauseAllWebhooks } from "./carryOver.ts";
import { scanItems, type Waiting } from "./scanTable.ts";
import { addSettings, howToSwitch, watchingOf } from "./tableSettings.ts";

const about = `Prepares a table that DynamoDB or AWS Backup has restored from a backup, because the original table is lost. Revocations, rotations and
erasures since the backup are unknown, so it suspends every organisation that has API keys or was erased, pauses every webhook, and gives each a
new secret. Then it adds the settings that a restore leaves out, and prints how to switch a stage to the table.
Exit codes: 0 done, 1 done except webhooks that could not be paused, 2 failed, 130 interrupted.
Running it again before the switch is safe. After 2 or 130, run it again to continue.`;

const Options = z
  .object({
    actor: actorOption,
    "dry-run": dryRun,
    ...targetOptions,
    table: option(z.string("--table is missing."), "NAME", "the restored table"),
  })
  .refine(({ stage, endpoint }) => (stage ?? endpoint) !== undefined, "Name a stage in AWS with --stage NAME.");

export const main = command({ name: "table adopt", Options, about }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { stage, actor } = options;
  const table = await openTarget(options);
  if (stage !== undefined && (await stageOutput(stage, "TableName")) === table.name())
    throw new UsageError(`The stage ${stage} uses this table already. Nothing was changed.`);
  const waiting = { pause: backOff(signal), signal };
  const hashes = await hashesByOrganisation(table, waiting);
  // An erased organisation may have been restored since the backup, and its keys revoked.
  const erased = (await readAudit(table, waiting.pause)).filter(({ action }) => action === "erasure");
  const ids = new Set([...hashes.keys(), ...erased.map(({ organisation_id }) => Number(organisation_id))]);
  const organisations = [...ids].sort((one, other) => one - other);
  if (options["dry-run"]) {
    stdout.write(`Would suspend ${count(organisations.length)} organisations. Nothing was changed.\n`);
    return 0;
  }
  for (const organisationId of organisations)
    await suspend(table, { organisationId, actor, hashes: hashes.get(organisationId) ?? [] }, waiting.pause);
  const { gone, failures } = await pauseAllWebhooks(table, waiting);
  const streamArn = await addSettings(new DynamoDBClient({}), table.name(), undefined, watchingOf(io));
  stderr.write(notPaused(failures));
  stdout.write(`Suspended ${count(organisations.length)} organisations: ${organisations.join(", ")}
Erase again those that were erased since the backup. Before you resume any other, have it revoke the API keys that must not work.
${describeRestored(gone)}${howToSwitch(stage, streamArn)}`);
  return Math.min(failures.length, 1);
}

const Hash = z.object({ hash: z.string(), organisation_id: z.int() });

/** The hashes of all API keys, by organisation. The scan also finds those that no list has. */
async function hashesByOrganisation(table: Table, waiting: Waiting) {
  const found: z.infer<typeof Hash>[] = [];
  const wanted = {
    filter: "begins_with(PK, :hash) AND attribute_exists(organisation_id)",
    values: { ":hash": itemKeys.apiKeyHash("").PK },
  };
  await scanItems(table, wanted, async (item) => found.push(Hash.parse(item)), waiting);
  return Map.groupBy(found, ({ organisation_id }) => organisation_id);
}

async function suspend(
  table: Table,
  { organisationId, actor, hashes }: { organisationId: number; actor: string; hashes: { hash: string }[] },
  pause: Pause,
): Promise<void> {
  const complete = await auditStart(table, { organisation_id: organisationId, action: "suspension", actor }, pause);
  for (const { hash } of hashes) await suspendHash(table, hash, pause);
  const { apiKeys, webhooks } = await suspendAll(table, organisationId, pause);
  await complete({ KEYHASH: apiKeys, WEBHOOKS: webhooks });
}
