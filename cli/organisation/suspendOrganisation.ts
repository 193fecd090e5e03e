import * as z from "zod";
import { UsageError } from "../../common/usageError.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { keys, lists } from "../../functions/table/keys.ts";
import { getItem, listAllItems } from "../../functions/table/reads.ts";
import type { Table } from "../../functions/table/table.ts";
import { backOff, type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { type Expression, updateItem } from "../../functions/table/writes.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetUsage } from "../shared/target.ts";
import { Actor, auditStart, organisationOptions } from "./organisation.ts";

const usage = `npm run organisation:suspend -- --organisation ID --actor NAME [--resume] [--dry-run] [--stage NAME] [--table NAME] [--endpoint URL]
  --organisation ID   the organisation whose API keys stop working, without being revoked
  --actor NAME        who requested it, for the audit
  --resume            let them work again
  --dry-run           count the keys and change nothing
${targetUsage(19)}

From the next request on, every API key of the organisation gets 401, and nobody can create another. Its data, its records of the feed and the
Developer area stay as they are.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe. After 2 or 130, run it again to complete it.`;

const Options = z.object({ ...organisationOptions, actor: Actor, resume: flag, "dry-run": flag });

const Stored = z.object({ hash: z.string() });

export const main = await command(import.meta, { usage, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, actor, resume } = options;
  const table = await openTarget(options);
  const pause = backOff(signal);
  const hashes = await hashesOf(table, organisation, pause);
  if (options["dry-run"]) {
    stdout.write(`Organisation ${organisation} has ${count(hashes.length)} API keys. Nothing was changed.\n`);
    return 0;
  }
  const action = resume ? "resumption" : "suspension";
  const complete = await auditStart(table, { organisation_id: organisation, action, actor }, pause);
  const changed = await (resume ? resumeAll : suspendAll)(table, organisation, pause);
  await complete({ KEYHASH: changed });
  const state = resume ? "work again, unless they are revoked" : "get 401 until you resume the organisation";
  stdout.write(`Organisation ${organisation}: its ${count(changed)} API keys ${state}.\n`);
  return 0;
}

/** The hashes of all of the organisation's API keys. @throws UsageError if it has none, and never had one. */
async function hashesOf(table: Table, organisationId: number, pause: Pause): Promise<string[]> {
  const stored = await untilAnswered(() => listAllItems(table, lists.apiKeys(organisationId)), pause);
  const access = await untilAnswered(() => getItem(table, keys.access(organisationId)), pause);
  if (stored.length === 0 && !access)
    throw new UsageError(`The table has no API key of organisation ${organisationId}.`);
  return stored.map((item) => Stored.parse(item).hash);
}

/** First prevents new keys, so that none is missed; then refuses the existing ones. */
async function suspendAll(table: Table, organisationId: number, pause: Pause): Promise<number> {
  const suspension = {
    update: "SET suspended = if_not_exists(suspended, :now)",
    values: { ":now": new Date().toISOString() },
  };
  await untilAnswered(() => updateItem(table, keys.access(organisationId), suspension), pause);
  const hashes = await hashesOf(table, organisationId, pause);
  const change = { update: "SET suspended = :true", values: { ":true": true } };
  for (const hash of hashes) await changeHash(table, hash, change, pause);
  return hashes.length;
}

async function resumeAll(table: Table, organisationId: number, pause: Pause): Promise<number> {
  const hashes = await hashesOf(table, organisationId, pause);
  for (const hash of hashes) await changeHash(table, hash, { update: "REMOVE suspended" }, pause);
  await untilAnswered(() => updateItem(table, keys.access(organisationId), { update: "REMOVE suspended" }), pause);
  return hashes.length;
}

/** Does nothing if an erasure has deleted the key's item meanwhile. */
async function changeHash(table: Table, hash: string, change: Expression, pause: Pause): Promise<void> {
  const existing = { ...change, condition: "attribute_exists(PK)" };
  await untilAnswered(() => updateItem(table, keys.apiKeyHash(hash), existing), pause).catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
