import * as z from "zod";
import type { Table } from "../../functions/table/table.ts";
import { backOff, untilAnswered } from "../../functions/table/untilTaken.ts";
import { timeOrderedIdPattern } from "../../functions/values/timeOrderedId.ts";
import { changeWebhook } from "../../functions/webhooks/changeWebhook.ts";
import { sender } from "../../functions/webhooks/sendMessage.ts";
import { pollSoon, readWebhook, type StoredWebhook, withoutFailure } from "../../functions/webhooks/storedWebhook.ts";
import { Actor, organisationOptions, platformTeam } from "../organisation/organisation.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { openTarget, targetUsage } from "../shared/target.ts";
import { UsageError } from "../shared/usageError.ts";

const usage = `npm run ops -- webhook pause --organisation ID --webhook ID --actor NAME [--resume] [--dry-run]
                             [--stage NAME] [--table NAME] [--endpoint URL]
  --organisation ID   the webhook's organisation
  --webhook ID        the webhook's id
  --actor NAME        who requested it, for the organisation's activity list
  --resume            set the webhook to active, so that it continues after the last delivered change
  --dry-run           find the webhook and change nothing
${targetUsage(19)}

A paused webhook sends nothing; a message that is on its way may still arrive. The organisation's super-admins can set it to active again.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const Options = z.object({
  ...organisationOptions,
  webhook: z.string("--webhook is missing.").regex(timeOrderedIdPattern, "--webhook must be the id of a webhook."),
  actor: Actor,
  resume: flag,
  "dry-run": flag,
});

export const main = command({ usage, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, webhook: id, actor } = options;
  const status = options.resume ? "active" : "paused";
  const table = await openTarget(options);
  const pause = backOff(signal);
  const webhook = await untilAnswered(() => readWebhook(table, organisation, id), pause);
  if (!webhook) throw new UsageError(`Organisation ${organisation} has no webhook ${id}. Nothing was changed.`);
  const name = `Webhook ${id} of organisation ${organisation}, ${webhook.url.split("?")[0]},`;
  if (options["dry-run"] || webhook.status === status) {
    stdout.write(`${name} is ${webhook.status}. Nothing was changed.\n`);
    return 0;
  }
  const scope = { organisationId: organisation, table, sender };
  const done = { action: "changed" as const, actor: platformTeam(actor) };
  await untilAnswered(() => changeWebhook(scope, id, (stored) => withStatus(stored, status, table), done), pause);
  stdout.write(`${name} was ${webhook.status} and is ${status}.\n`);
  return 0;
}

/** Sends no wake-up, which needs the queue: the sweep finds a webhook that is active again. */
function withStatus(stored: StoredWebhook, status: "active" | "paused", { clock }: Table): StoredWebhook {
  return pollSoon({ ...stored, ...(status === "active" && withoutFailure), status }, clock.nowMs());
}
