import { DescribeContinuousBackupsCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { erasedRevoked } from "../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { Problem } from "../../functions/problem.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { backOff, type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { isWritten, updateItem } from "../../functions/table/writes.ts";
import { actorOption, auditStart, platformTeam, readAudit } from "../organisation/organisation.ts";
import { command, dryRun, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { notPaused, pauseAllWebhooks } from "../webhooks/pauseAllWebhooks.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { scanItems, type Waiting } from "./scanTable.ts";
import { addSettings, describeTable, pauseOf } from "./tableSettings.ts";

const about = `Prepares a stage's table that was lost and restored from a backup under its own name. Nobody knows which API keys were revoked since the
backup, so it revokes every key permanently, and pauses every webhook and gives it a new secret. Then it adds the settings that a restore leaves out,
and prints the stream's setting. It refuses a table that has a stream, because such a table is in use.
Exit codes: 0 done, 1 done except webhooks that could not be paused, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z
  .object({ actor: actorOption, "dry-run": dryRun, ...targetOptions })
  .refine(({ stage, endpoint }) => (stage ?? endpoint) !== undefined, "Name a stage in AWS with --stage NAME.");

export const main = command({ name: "table adopt", Options, about }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { stage = "STAGE", actor } = options;
  const table = await openTarget(options);
  const waiting = { pause: backOff(signal), signal };
  const client = new DynamoDBClient({});
  await assertRestored(client, table, waiting.pause);
  if (options["dry-run"]) {
    const number = count(await forActiveKeys(table, async () => undefined, waiting));
    stdout.write(`Would revoke ${number} API keys and pause every webhook. Nothing was changed.\n`);
    return 0;
  }
  await assertHasBackups(client, table.name());
  const complete = await auditStart(table, { organisation_id: null, action: "adoption", actor }, waiting.pause);
  const revoked = await forActiveKeys(table, (key) => revoke(table, key, actor, waiting.pause), waiting);
  const { webhooks, failures } = await pauseAllWebhooks(table, waiting);
  const streamArn = await addSettings(client, table.name(), pauseOf(signal));
  await complete({ KEYHASH: revoked, WEBHOOKS: webhooks.length });
  stderr.write(notPaused(failures));
  stdout.write(`Revoked ${count(revoked)} API keys. Each organisation must create new ones.
Erase again the organisations that were erased since the backup.
${describeRestored(webhooks)}Then put this into deploy/stages/${stage}.json and deploy: npm run deploy -- -c stage=${stage} -c canary=off
  "tableStreamArn": "${streamArn}"\n`);
  return Math.min(failures.length, 1);
}

/** @throws UsageError at DynamoDB Local, which would refuse the settings after the keys are revoked. */
async function assertHasBackups(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  } catch (error) {
    if (!(error instanceof Error && error.name === "UnknownOperationException")) throw error;
    throw new UsageError("This database has no backups, so no table can have been restored. Nothing was changed.");
  }
}

/** @throws UsageError if the table has a stream, which a restore leaves out, unless an interrupted run has added it. */
async function assertRestored(client: DynamoDBClient, table: Table, pause: Pause): Promise<void> {
  const description = await describeTable(client, table.name());
  if (!description?.StreamSpecification?.StreamEnabled) return;
  const last = (await readAudit(table, pause)).findLast(({ action }) => action === "adoption");
  if (last?.state === "started") return;
  throw new UsageError(`Table ${table.name()} has a stream, so it is in use or adopted already. Nothing was changed.`);
}

const Key = z.object({ hash: z.string(), organisation_id: z.int(), id: z.string() });
type Key = z.infer<typeof Key>;

/** Finds the API keys that are not revoked. The scan also finds those that no list has. @returns their number. */
async function forActiveKeys(table: Table, onKey: (key: Key) => Promise<unknown>, waiting: Waiting): Promise<number> {
  let found = 0;
  const wanted = {
    filter: "begins_with(PK, :hash) AND #status <> :revoked",
    values: { ":hash": itemKeys.apiKeyHash("").PK, ":revoked": erasedRevoked.status },
    names: { "#status": "status" },
  };
  const onItem = (item: Record<string, unknown>) => {
    found += 1;
    return onKey(Key.parse(item));
  };
  await scanItems(table, wanted, onItem, waiting);
  return found;
}

/** Revokes a key as its super-admins would, with an entry of its organisation's activity; one that no list has only for the authorizer. */
async function revoke(table: Table, { hash, organisation_id, id }: Key, actor: string, pause: Pause): Promise<void> {
  const repository = apiKeyRepository(organisation_id, table);
  try {
    await retryWhileUnavailable(() => repository.revoke(id, platformTeam(actor)), pause);
  } catch (error) {
    if (!(error instanceof Problem || error instanceof z.ZodError)) throw error;
  }
  const revocation = {
    update: "SET #status = :revoked",
    condition: "attribute_exists(PK) AND #status <> :revoked",
    names: { "#status": "status" },
    values: { ":revoked": erasedRevoked.status },
  };
  await isWritten(retryWhileUnavailable(() => updateItem(table, itemKeys.apiKeyHash(hash), revocation), pause));
}
