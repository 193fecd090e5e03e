import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { findApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { backOff, type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import { command, dryRun, flag, type Io, idOption, option, timeOption } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { nextCommand, openBeside, openTarget, targetOptions } from "../shared/target.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { exportSource } from "./exportedItems.ts";
import { actorOption, additionsOf, auditStart, describeCounts, readAudit, total } from "./organisation.ts";
import { type Restored, restoreOrganisation, type Source, tableSource } from "./organisationRestore.ts";
import type { Window } from "./repairedItem.ts";
import { repairOrganisations } from "./repairOrganisations.ts";
import { knowsRevocations } from "./restoredKeys.ts";

const about = `Writes the items that the table lacks, API keys last; existing items stay. Summaries follow automatically.
With --replace, it repairs a damaged table instead: it makes records as they are in --from-table, but touches only those that the table lacks or that
changed in the window from --changed-from to --changed-to. Readers of changes and webhooks see each repair. Keys, webhooks, notes and balance payments stay.
A revoked API key stays revoked. Restored webhooks are paused and have new secrets. If the table's audit has no erasure of the organisation,
later revocations are unknown, so restored keys are revoked.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue; with --all, it continues with the next organisation.`;

const Options = z
  .object({
    organisation: option(idOption("--organisation").optional(), "ID", "the organisation"),
    all: flag("with --replace, every organisation of --from-table that was not erased since"),
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
    replace: flag("also replace the records that differ, if they changed in the window"),
    "changed-from": option(timeOption("--changed-from").optional(), "TIME", "the beginning of the damage"),
    "changed-to": option(timeOption("--changed-to").optional(), "TIME", "the end of the damage; later changes stay"),
    "delete-new": flag("also delete the records that --from-table lacks, if they changed in the window"),
    "dry-run": dryRun,
    ...targetOptions,
  })
  .refine(
    (options) => (options["from-table"] === undefined) !== (options["from-export"] === undefined),
    "Give either --from-table NAME or --from-export FILE.",
  )
  .refine(
    ({ organisation, all }) => (organisation !== undefined) !== all,
    "Give either --organisation ID or, with --replace, --all.",
  )
  .refine((options) => !options.replace || windowOf(options) !== undefined, {
    error: "--replace requires --from-table NAME, --changed-from TIME and --changed-to TIME, a past window.",
  })
  .refine(
    (options) =>
      options.replace || !(options.all || options["delete-new"] || options["changed-from"] || options["changed-to"]),
    "--all, --delete-new, --changed-from and --changed-to require --replace.",
  );
type Options = z.infer<typeof Options>;
type One = Options & { organisation: number };

/** Undefined without a window in the past. */
function windowOf(options: {
  "from-table"?: string | undefined;
  "changed-from"?: string | undefined;
  "changed-to"?: string | undefined;
  "delete-new": boolean;
}): Window | undefined {
  const { "changed-from": from, "changed-to": to, "delete-new": deletesNew } = options;
  if (options["from-table"] === undefined || from === undefined || to === undefined) return undefined;
  return from <= to && Date.parse(to) <= Date.now() ? { from, to, deletesNew } : undefined;
}

const interrupted = "Interrupted. Part of the data is restored. Run it again to continue.";

export const main = command({ name: "organisation restore", Options, about, interrupted }, run);

async function run(options: Options, io: Io): Promise<number> {
  const { organisation, "from-table": from = "", all: _, ...others } = options;
  const table = await openTarget(options);
  const window = options.replace ? windowOf(options) : undefined;
  if (window)
    return repairOrganisations(
      { ...others, live: table, source: await openBeside(table, from), organisation, window },
      io,
    );
  if (organisation === undefined) throw new UsageError("--organisation is missing.");
  return restoreOne(table, { ...options, organisation }, io);
}

async function restoreOne(table: Table, options: One, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { organisation, actor } = options;
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
    const isKnown = await knowsRevocations(table, organisation, waiting.pause);
    const target = { table, organisationId: organisation, actor, knowsRevocations: isKnown };
    await restoreOrganisation(target, source, restored, waiting);
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
  const resumption = nextCommand(`organisation suspend --resume --organisation ${organisation} --actor NAME`, options);
  if (workingKeys.length > 0) stdout.write("API keys that work:\n");
  else if (suspendedKeys === 0) stdout.write("No API key works. The organisation must create new ones.\n");
  for (const { name, prefix } of workingKeys) stdout.write(`  ${prefix}  ${name}\n`);
  if (suspendedKeys > 0)
    stdout.write(`${count(suspendedKeys)} API keys work once the organisation is resumed:\n  ${resumption}\n`);
  stdout.write(await blankings(table, options, waiting.pause));
  for (const { key, error } of failures) stderr.write(`Not restored: ${key.PK} ${key.SK}: ${describeError(error)}.\n`);
  return Math.min(failures.length, 1);
}

/** The commands that remove the texts again which a source from before a blanking has brought back. */
async function blankings(table: Table, options: One, pause: Pause): Promise<string> {
  const { organisation } = options;
  const entries = (await readAudit(table, pause)).filter(
    ({ organisation_id, action, state }) =>
      organisation_id === organisation && action === "blanking" && state === "started",
  );
  const commands = entries.map(({ balance_payments = [], orders = [] }) => {
    const payments = balance_payments.length > 0 ? ` --payments ${balance_payments}` : "";
    const noted = orders.length > 0 ? ` --orders ${orders}` : "";
    return `  ${nextCommand(`person blank --organisation ${organisation}${payments}${noted} --actor NAME`, options)}\n`;
  });
  return commands.length === 0
    ? ""
    : `Texts about persons were removed from this organisation. The source may be older: remove them again.\n${commands.join("")}`;
}

function nothingOf(organisation: number): UsageError {
  return new UsageError(`The source has nothing of organisation ${organisation}. Nothing was changed.`);
}

/** The source as its option, for the audit and for a person who has to repeat the restoration. */
function nameOf(options: One): string {
  return options["from-table"] === undefined
    ? `--from-export ${options["from-export"]}`
    : `--from-table ${options["from-table"]}`;
}

async function sourceOf(options: One, table: Table, io: Io): Promise<Source> {
  const { organisation, "from-table": name, "from-export": file = "" } = options;
  const { signal } = io;
  if (name !== undefined)
    return tableSource(await openBeside(table, name), organisation, { pause: backOff(signal), signal });
  const ownerOf = async (hash: string) =>
    (await retryWhileUnavailable(() => findApiKeyHash(table, hash), backOff(signal)))?.organisation_id;
  return exportSource({ records: file, additions: additionsOf(file), organisationId: organisation, ownerOf }, io);
}
