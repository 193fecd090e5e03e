import * as z from "zod";
import { backOff } from "../../functions/table/retries.ts";
import { listActive, scheduleAll } from "../../functions/webhooks/activeWebhooks.ts";
import { command, dryRun, type Io, idOption, option } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";

const about = `Makes the service poll every active webhook within minutes, for changes that were not delivered. Use it after wake-ups were lost.
A retry scheduled for later keeps its time. A webhook without new changes sends nothing.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe. After 2 or 130, run it again to complete it.`;

const Options = z.object({
  organisation: option(
    idOption("--organisation").optional(),
    "ID",
    "only this organisation's webhooks; default: those of all",
  ),
  "dry-run": dryRun,
  ...targetOptions,
});

export const main = command({ name: "webhooks wake", Options, about }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, "dry-run": isDryRun } = options;
  const table = await openTarget(options);
  const pause = backOff(signal);
  const number = isDryRun
    ? (await listActive(table, pause, organisation)).length
    : await scheduleAll(table, { pause, signal }, organisation);
  const outcome = isDryRun ? "Nothing was changed." : "The service will poll each within minutes.";
  stdout.write(`Active webhooks: ${count(number)}. ${outcome}\n`);
  return 0;
}
