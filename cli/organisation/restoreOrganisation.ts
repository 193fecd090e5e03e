import * as z from "zod";
import { findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { describeError } from "../../functions/table/errors.ts";
import { backOff, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { command, dryRun, type Io, option, UsageError } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openBeside, openTarget, targetOptions } from "../shared/target.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { exportSource } from "./exportedItems.ts";
import { actorOption, additionsOf, auditStart, describeCounts, organisationOption, total } from "./organisation.ts";
import { type Restored, restoreOrganisation, type Source, tableSource } from "./organisationRestore.ts";

const about = `Writes the items that the table lacks, API keys last; existing items stay. Summaries follow automatically.
A revoked API key stays revoked. Restored webhooks are paused and have new secrets. If the table's audit has no erasure of the organisation,
later revocations are unknown, so restored keys are suspended until npm run ops -- organisation suspend --resume.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z
  .object({
    organisation: organisationOption,
    actor: actorOption,
    "from-table": option(
      z.string().min(1).optional(),
      "NAME",
      "read the items from this table, for example one that npm run ops -- table restore created",
    ),
    "from-export": option(
      z.string().min(1).optional(),
      "FILE",
      "read them from FILE and its additions, written by npm run ops -- organisation export",
    ),
    "dry-run": dryRun,
    ...targetOptions,
  })
  .refine(
    (options) => (options["from-table"] === undefined) !== (options["from-export"] === undefined),
    "Give either --from-table NAME or --from-export FILE.",
  );

const interrupted = "Interrupted. Part of the data is restored. Run it again to continue.";

export const main = command({ name: "organisation restore", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { organisation, actor } = options;
  const table = await openTarget(options);
  const waiting = { pause: backOff(signal), signal };
  const source = await sourceOf(options, table, io);
  if (options["dry-run"]) {
    let items = 0;
    await source(async (page) => {
      items += page.length;
    });
    if (items === 0) throw nothingOf(organisation);
    stdout.write(`The source has ${count(items)} items of organisation ${organisation}. Nothing was changed.\n`);
    return 0;
  }
  const what = { organisation_id: organisation, action: "restoration" as const, actor, source: nameOf(options) };
  const complete = await auditStart(table, what, waiting.pause);
  const restored: Restored = { counts: {}, present: 0, failures: [], workingKeys: [], suspendedKeys: 0, webhooks: [] };
  const progress = showProgress(stderr, () => total(restored.counts) + restored.present);
  try {
    await restoreOrganisation({ table, organisationId: organisation, actor }, source, restored, waiting);
    if (total(restored.counts) + restored.present + restored.failures.length === 0) throw nothingOf(organisation);
    await complete(restored.counts);
  } finally {
    progress.stop();
    const { counts, present } = restored;
    stdout.write(
      `Restored to organisation ${organisation}: ${count(total(counts))} items.\n${describeCounts(counts)}\n`,
    );
    stdout.write(`${count(present)} items already existed and stay.\n${describeRestored(restored.webhooks)}`);
  }
  const { workingKeys, suspendedKeys, failures } = restored;
  if (workingKeys.length > 0) stdout.write("API keys that work:\n");
  for (const { name, prefix } of workingKeys) stdout.write(`  ${prefix}  ${name}\n`);
  if (suspendedKeys > 0) stdout.write(`${count(suspendedKeys)} API keys are suspended. ${beforeResuming}\n`);
  for (const { key, error } of failures) stderr.write(`Not restored: ${key.PK} ${key.SK}: ${describeError(error)}.\n`);
  return Math.min(failures.length, 1);
}

/** The advice for keys of which the table does not know whether they were revoked. */
const beforeResuming = `First have the organisation revoke keys that must not work, in the Developer area. Then resume the others:
  npm run ops -- organisation suspend --resume`;

function nothingOf(organisation: number): UsageError {
  return new UsageError(`The source has nothing of organisation ${organisation}. Nothing was changed.`);
}

/** The source as its option, for the audit and for a person who has to repeat the restoration. */
function nameOf(options: z.infer<typeof Options>): string {
  return options["from-table"] === undefined
    ? `--from-export ${options["from-export"]}`
    : `--from-table ${options["from-table"]}`;
}

async function sourceOf(options: z.infer<typeof Options>, table: Table, io: Io): Promise<Source> {
  const { organisation, "from-table": name, "from-export": file = "" } = options;
  const { signal } = io;
  if (name !== undefined)
    return tableSource(await openBeside(table, name), organisation, { pause: backOff(signal), signal });
  const ownerOf = async (hash: string) =>
    (await retryWhileUnavailable(() => findApiKeyHash(table, hash), backOff(signal)))?.organisation_id;
  return exportSource({ records: file, additions: additionsOf(file), organisationId: organisation, ownerOf }, io);
}
