import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { partitions } from "../../functions/table/lists.ts";
import { getItem, listAllItems } from "../../functions/table/reads.ts";
import { backOff, type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Expression, isWritten, transactWrite, updateItem } from "../../functions/table/writes.ts";
import { listActive } from "../../functions/webhooks/activeWebhooks.ts";
import { pollSoon, withNextRevision, withoutFailure } from "../../functions/webhooks/storedWebhook.ts";
import { command, dryRun, flag, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { nextCommand, openTarget, targetOptions } from "../shared/target.ts";
import { actorOption, apiKeyHashesOf, auditStart, Hashed, organisationOption } from "./organisation.ts";

const about = `Stops an organisation's API keys and webhooks without revoking or pausing them. From the next request on, every API key of the organisation
gets 401, no key can be created, and its webhooks start no further messages. Its data, feed and Developer area stay available.
Once resumed, its active webhooks continue after the last delivered change.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe. After 2 or 130, run it again to complete it.`;

const Options = z.object({
  organisation: organisationOption,
  actor: actorOption,
  resume: flag("let them work again"),
  "dry-run": dryRun,
  ...targetOptions,
});

export const main = command({ name: "organisation suspend", Options, about }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, actor, resume } = options;
  const table = await openTarget(options);
  const pause = backOff(signal);
  await assertExists(table, organisation, pause);
  if (options["dry-run"]) {
    const hashes = await apiKeyHashesOf(table, organisation, pause);
    const apiKeys = count(hashes.filter((hash) => stateOf(hash) === (resume ? "suspended" : "works")).length);
    const webhooks = count((await listActive(table, pause, organisation)).length);
    stdout.write(
      `Organisation ${organisation} has ${apiKeys} API keys that ${resume ? "are suspended" : "work"}, and ${webhooks} active webhooks. Nothing was changed.\n`,
    );
    return 0;
  }
  const action = resume ? "resumption" : "suspension";
  const complete = await auditStart(table, { organisation_id: organisation, action, actor }, pause);
  const changed = await (resume ? resumeAll : suspendAll)(table, organisation, pause);
  await complete({ KEYHASH: changed.apiKeys, WEBHOOKS: changed.webhooks });
  const [keysState, webhooksState] = resume
    ? ["work again", "continue"]
    : ["get 401", "send nothing, until you resume the organisation"];
  const resumption = `organisation suspend --organisation ${organisation} --actor NAME --resume`;
  const next = resume ? "" : `To resume it:\n  ${nextCommand(resumption, options)}\n`;
  stdout.write(
    `Organisation ${organisation}: its ${count(changed.apiKeys)} API keys ${keysState}, and its ${count(changed.webhooks)} active webhooks ${webhooksState}.\n${next}`,
  );
  return 0;
}

/** @throws UsageError if the organisation has no API key and no webhook, and never had a key. */
async function assertExists(table: Table, organisationId: number, pause: Pause): Promise<void> {
  const access = await retryWhileUnavailable(() => getItem(table, itemKeys.access(organisationId)), pause);
  if (access) return;
  for (const list of [partitions.apiKeys(organisationId), partitions.webhooks(organisationId)])
    if ((await retryWhileUnavailable(() => listAllItems(table, list), pause)).length > 0) return;
  throw new UsageError(`The table has no API key and no webhook of organisation ${organisationId}.`);
}

async function hashesOf(table: Table, organisationId: number, pause: Pause): Promise<string[]> {
  const stored = await retryWhileUnavailable(() => listAllItems(table, partitions.apiKeys(organisationId)), pause);
  return stored.map((item) => Hashed.parse(item).hash);
}

interface Changed {
  /** The keys that work no more, or again: revoked ones never count. */
  apiKeys: number;
  webhooks: number;
}

/** First stops the webhooks and prevents new keys, so that none is missed; then refuses the existing ones. */
async function suspendAll(table: Table, organisationId: number, pause: Pause): Promise<Changed> {
  const suspension = {
    update: "SET suspended = if_not_exists(suspended, :now)",
    values: { ":now": new Date().toISOString() },
  };
  await retryWhileUnavailable(() => updateItem(table, itemKeys.access(organisationId), suspension), pause);
  const hashes = await hashesOf(table, organisationId, pause);
  let apiKeys = 0;
  for (const hash of hashes) if (await suspendHash(table, hash, pause)) apiKeys += 1;
  return { apiKeys, webhooks: (await listActive(table, pause, organisationId)).length };
}

/** @returns whether the key worked before. */
async function suspendHash(table: Table, hash: string, pause: Pause): Promise<boolean> {
  const suspension = { update: "SET suspended = :true", values: { ":true": true } };
  return (await changeHash(table, hash, suspension, pause)) === "works";
}

async function resumeAll(table: Table, organisationId: number, pause: Pause): Promise<Changed> {
  const hashes = await hashesOf(table, organisationId, pause);
  let apiKeys = 0;
  for (const hash of hashes)
    if ((await changeHash(table, hash, { update: "REMOVE suspended" }, pause)) === "suspended") apiKeys += 1;
  return { apiKeys, webhooks: await resumeWebhooks(table, organisationId, pause) };
}

/** Ends the suspension and schedules the webhooks in one transaction, so that none is left out. @returns the number of active webhooks. */
async function resumeWebhooks(table: Table, organisationId: number, pause: Pause): Promise<number> {
  const end = { key: itemKeys.access(organisationId), change: { update: "REMOVE suspended" } };
  for (;;) {
    const active = await listActive(table, pause, organisationId);
    const nowMs = table.clock.nowMs();
    const polls = active.map((stored) => withNextRevision(stored, pollSoon({ ...stored, ...withoutFailure }, nowMs)));
    // Otherwise somebody changed or deleted a webhook meanwhile.
    if (await isWritten(retryWhileUnavailable(() => transactWrite(table, [end, ...polls]), pause)))
      return active.length;
  }
}

type KeyState = "works" | "revoked" | "suspended";

function stateOf({ status, suspended }: Item): KeyState {
  if (status !== "active") return "revoked";
  return suspended === true ? "suspended" : "works";
}

/** Does nothing if the key is being erased. @returns the key's state before the change; undefined if nothing was changed. */
async function changeHash(table: Table, hash: string, change: Expression, pause: Pause): Promise<KeyState | undefined> {
  const existing = { ...change, condition: "attribute_exists(#hash)", names: { "#hash": "hash" } };
  const write = () => updateItem(table, itemKeys.apiKeyHash(hash), existing, "ALL_OLD");
  let before: Item | undefined;
  const written = retryWhileUnavailable(write, pause).then((item) => {
    before = item;
  });
  return (await isWritten(written)) && before ? stateOf(before) : undefined;
}
