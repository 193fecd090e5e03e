import { UsageError } from "@ticketing/local-aws/usage-error";
import { organisationIdOf } from "../../functions/table/itemKeys.ts";
import { backOff } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import type { Io } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { scanItems, type Waiting } from "../table/scanTable.ts";
import { type AuditEntry, auditStart, readAudit } from "./organisation.ts";
import type { Window } from "./repairedItem.ts";
import { Repaired, repairOrganisation } from "./repairOrganisation.ts";

interface Repairs {
  live: Table;
  source: Table;
  /** Undefined for every organisation of the source. */
  organisation: number | undefined;
  window: Window;
  actor: string;
  "dry-run": boolean;
}

/** Repairs one organisation, or all of them one after another. A run continues an interrupted one by the audit. @returns the exit code. */
export async function repairOrganisations(repairs: Repairs, io: Io): Promise<number> {
  const { live, source, organisation } = repairs;
  const { stdout, signal } = io;
  const waiting = { pause: backOff(signal), signal };
  const known = new Set((await readAudit(source, waiting.pause)).map(({ id }) => id));
  const ids = organisation === undefined ? await organisationsIn(source, waiting) : [organisation];
  let failures = 0;
  for (const id of ids) {
    const since = (await readAudit(live, waiting.pause)).filter(
      (entry) => entry.organisation_id === id && !known.has(entry.id),
    );
    const reason = reasonToSkip(since, repairs);
    if (reason === undefined) failures += await repairOne(repairs, id, waiting, io);
    else if (organisation === undefined) stdout.write(`Organisation ${id} ${reason}; skipped.\n`);
    else throw new UsageError(`Organisation ${id} ${reason}. Nothing was changed.`);
  }
  if (repairs["dry-run"]) stdout.write("Nothing was changed.\n");
  return Math.min(failures, 1);
}

/** @param since the organisation's audit entries that the source lacks. */
function reasonToSkip(since: AuditEntry[], repairs: Repairs): string | undefined {
  const last = since.findLast(
    ({ action, source }) => action === "erasure" || (action === "restoration" && !isRepair(source)),
  );
  if (last?.action === "erasure") return "was erased since";
  const own = ({ action, state, source }: AuditEntry) =>
    action === "restoration" && state === "completed" && source === nameOf(repairs);
  return repairs.organisation === undefined && since.some(own) ? "was repaired by an earlier run" : undefined;
}

/** The source and the window, for the audit, which shows what an interrupted run has completed. */
function nameOf({ source, window: { from, to, deletesNew } }: Repairs): string {
  const options = `--replace --changed-from ${from} --changed-to ${to}`;
  return `--from-table ${source.name()} ${options}${deletesNew ? " --delete-new" : ""}`;
}

function isRepair(source = ""): boolean {
  return source.includes(" --replace ");
}

/** @returns the number of items that were not repaired. */
async function repairOne(repairs: Repairs, organisationId: number, waiting: Waiting, io: Io): Promise<number> {
  const { live, source, window, actor, "dry-run": isDryRun } = repairs;
  const repaired = new Repaired();
  const what = { organisation_id: organisationId, action: "restoration" as const, actor, source: nameOf(repairs) };
  const complete = isDryRun ? async () => undefined : await auditStart(live, what, waiting.pause);
  const progress = showProgress(io.stderr, () => repaired.read);
  try {
    await repairOrganisation({ live, source, organisationId, window, isDryRun }, repaired, waiting);
    if (organisationId === repairs.organisation && repaired.read === 0)
      throw new UsageError(`The source has nothing of organisation ${organisationId}. Nothing was changed.`);
    if (repaired.failures.length === 0) await complete(repaired.counts());
  } finally {
    const read = `${count(repaired.read)} records compared in ${progress.stop()} s`;
    io.stdout.write(`Organisation ${organisationId}, ${read}:\n${repaired.describe()}`);
    for (const { key, error } of repaired.failures)
      io.stderr.write(`Not repaired: ${key.PK} ${key.SK}: ${describeError(error)}.\n`);
  }
  return repaired.failures.length;
}

async function organisationsIn(table: Table, waiting: Waiting): Promise<number[]> {
  const ids = new Set<number>();
  const wanted = { filter: "begins_with(PK, :organisation)", values: { ":organisation": "ORG#" }, projection: "PK" };
  await scanItems(table, wanted, async ({ PK }) => ids.add(organisationIdOf(String(PK))), waiting);
  return [...ids].sort((one, other) => one - other);
}
