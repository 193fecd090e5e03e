import * as z from "zod";
import { describeError } from "../../functions/table/errors.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { command, type Io, option, UsageError } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { actorOption, additionsOf, auditStart, describeCounts, organisationOption, total } from "./organisation.ts";
import { beginWholeFile, type Exported, exportOrganisation } from "./organisationExport.ts";

const about = `Reads the whole table once. If the table has nothing of the organisation, that is an error. The two files appear only when they are complete,
and only their owner can read them.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again; it starts from the beginning.`;

const Options = z.object({
  organisation: organisationOption,
  actor: actorOption,
  output: option(
    z.string().min(1).optional(),
    "FILE",
    "the records, as npm run ops -- import takes them; default: organisation-ID.ndjson. Other data goes to a second file: .additions.ndjson instead of .ndjson",
  ),
  ...targetOptions,
});

const interrupted = "Interrupted. No file was written. Run it again.";

export const main = command({ name: "organisation export", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const { organisation, actor, output = `organisation-${organisation}.ndjson` } = options;
  const table = await openTarget(options);
  const exported: Exported = { counts: {}, failures: [] };
  const files = { records: await beginWholeFile(output), additions: await beginWholeFile(additionsOf(output)) };
  const pause = backOff(signal);
  const progress = showProgress(stderr, () => total(exported.counts));
  try {
    const complete = await auditStart(table, { organisation_id: organisation, action: "export", actor }, pause);
    await exportOrganisation(table, organisation, files, exported, { pause, signal });
    signal.throwIfAborted();
    assertFound(exported, organisation);
    await files.additions.keep();
    await files.records.keep();
    await complete(exported.counts);
  } catch (error) {
    await Promise.allSettled(Object.values(files).map((file) => file.discard()));
    throw error;
  } finally {
    progress.stop();
  }
  stdout.write(
    `${output} and ${additionsOf(output)}: ${count(total(exported.counts))} lines\n${describeCounts(exported.counts)}\n`,
  );
  for (const { key, error } of exported.failures) stderr.write(`Not exported: ${key.PK}: ${describeError(error)}.\n`);
  return Math.min(exported.failures.length, 1);
}

/** @throws UsageError if the table has nothing of the organisation but its audit. */
function assertFound({ counts, failures }: Exported, organisation: number): void {
  const { organisation_audit: _, ...own } = counts;
  if (total(own) + failures.length > 0) return;
  throw new UsageError(`The table has nothing of organisation ${organisation} to export. No file was written.`);
}
