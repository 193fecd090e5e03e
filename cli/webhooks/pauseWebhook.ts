import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { backOff, retryWhileUnavailable } from "../../functions/table/retries.ts";
import { timeOrderedIdPattern } from "../../functions/values/timeOrderedId.ts";
import { sender } from "../../functions/webhooks/sendMessage.ts";
import { pollSoon, readWebhook, type StoredWebhook, withoutFailure } from "../../functions/webhooks/storedWebhook.ts";
import { changeWebhook } from "../../functions/webhooks/webhookWrites.ts";
import { actorOption, organisationOption, platformTeam } from "../organisation/organisation.ts";
import { command, dryRun, flag, type Io, option } from "../shared/command.ts";
import { openTarget, targetOptions } from "../shared/target.ts";

const about = `Pauses or resumes a webhook. A paused webhook sends nothing; a message that is on its way may still arrive. The organisation's
super-admins can set it to active again.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const Options = z.object({
  organisation: organisationOption,
  webhook: option(
    z.string("--webhook is missing.").regex(timeOrderedIdPattern, "--webhook must be the id of a webhook."),
    "ID",
    "the webhook's id",
  ),
  actor: actorOption,
  resume: flag("set the webhook to active, so that it continues after the last delivered change"),
  "dry-run": dryRun,
  ...targetOptions,
});

export const main = command({ name: "webhook pause", Options, about }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, webhook: id, actor } = options;
  const status = options.resume ? "active" : "paused";
  const table = await openTarget(options);
  const pause = backOff(signal);
  const webhook = await retryWhileUnavailable(() => readWebhook(table, organisation, id), pause);
  if (!webhook) throw new UsageError(`Organisation ${organisation} has no webhook ${id}. Nothing was changed.`);
  const name = `Webhook ${id} of organisation ${organisation}, ${webhook.url.split("?")[0]},`;
  if (options["dry-run"] || webhook.status === status) {
    stdout.write(`${name} is ${webhook.status}. Nothing was changed.\n`);
    return 0;
  }
  const scope = { organisationId: organisation, table, sender };
  const done = { action: "changed" as const, actor: platformTeam(actor) };
  // Sends no wake-up, which needs the queue: the sweep finds a webhook that is active again.
  const withStatus = (stored: StoredWebhook) =>
    pollSoon({ ...stored, ...(options.resume && withoutFailure), status }, table.clock.nowMs());
  await retryWhileUnavailable(() => changeWebhook(scope, id, withStatus, done), pause);
  stdout.write(`${name} was ${webhook.status} and is ${status}.\n`);
  return 0;
}
