import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { BalancePayment } from "../../functions/resources/balancePayment.ts";
import { Id } from "../../functions/resources/fields.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import { Deletion, ExportedRecord, type Record as InputRecord, recordTypes } from "../../functions/resources/record.ts";
import { storedForm } from "../../functions/resources/resource.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf, organisationIdOf } from "../../functions/table/itemKeys.ts";
import { backOff } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import { command, type Io, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { Key, scanInParallel, type Waiting } from "../table/scanTable.ts";
import {
  actorOption,
  additionsOf,
  auditStart,
  type Counts,
  describeCounts,
  itemsOfOrganisation,
  organisationOption,
  readAudit,
  total,
} from "./organisation.ts";
import { storedAddition } from "./storedKinds.ts";

/** Records in the import's format, and separately the data that has no record. */
interface ExportFiles {
  records: { write: (lines: string) => Promise<void> };
  additions: { write: (lines: string) => Promise<void> };
}

export interface Exported {
  counts: Counts;
  /** The items that do not match their keys, and why. */
  failures: { key: ItemKey; error: unknown }[];
}

const Noted = z.object({ id: Id, api_note: ApiNote.optional() });

/** Items that are derived from others or from the log, or expire within a day. */
const derivedTypes: ReadonlySet<string> = new Set(
  [
    itemKeys.balance(1, 1),
    itemKeys.idempotency(1, ""),
    itemKeys.eventSummary(1, 1),
    itemKeys.dateSummary(1, 1),
    itemKeys.lastCounted(""),
    itemKeys.keyUsage(1, "", ""),
    itemKeys.webhookCount(1),
    itemKeys.webhookDelivery(1, "", ""),
  ].map(itemTypeOf),
);

/**
 * Writes all of an organisation's data, one line each, with at most a few pages in memory. Data that changes meanwhile is exported as it
 * was or as it is.
 * @param exported is updated during the run.
 */
export async function exportOrganisation(
  table: Table,
  organisationId: number,
  files: ExportFiles,
  exported: Exported,
  { pause, signal }: Waiting,
): Promise<void> {
  const add = (additions: readonly { kind: string; data: object }[]) => {
    for (const { kind } of additions) addTo(exported, kind);
    const lines = additions.map(({ kind, data }) => ({ kind, organisation_id: organisationId, data }));
    return files.additions.write(ndjson(lines));
  };
  const onPage = async (items: Item[]) => {
    const { records, additions } = sorted(items, exported);
    await files.records.write(ndjson(records));
    await add(additions);
  };
  await scanInParallel(table, itemsOfOrganisation(organisationId), onPage, { pause, signal });
  const audit = await readAudit(table, pause);
  const own = audit.filter(({ organisation_id }) => organisation_id === organisationId);
  await add(own.map((data) => ({ kind: "organisation_audit", data })));
}

function sorted(items: Item[], exported: Exported) {
  const records: object[] = [];
  const additions: { kind: string; data: object }[] = [];
  for (const item of items) {
    const key = Key.parse(item);
    try {
      const type = itemTypeOf(key);
      if (derivedTypes.has(type)) continue;
      const record = exportedRecord(key, item);
      if (record) {
        records.push(record);
        addTo(exported, "deleted" in record ? "deletion" : record.type);
        additions.push(...noteOf(key, item).map((data) => ({ kind: "order_note", data })));
      } else additions.push(additionOf(type, item));
    } catch (error) {
      exported.failures.push({ key, error });
    }
  }
  return { records, additions };
}

function additionOf(type: string, item: Item): { kind: string; data: object } {
  return type === itemTypeOf(itemKeys.balance_payment(1, 1))
    ? { kind: "balance_payment", data: storedForm(BalancePayment).parse(item) }
    : storedAddition(type, item);
}

/** An order's note that was set through the API, which the record lacks. */
function noteOf({ SK }: ItemKey, item: Item) {
  if (SK !== itemKeys.order(1, 1).SK || !("api_note" in item)) return [];
  const { id: order_id, api_note } = Noted.parse(item);
  return [{ order_id, ...api_note }];
}

function addTo({ counts }: Exported, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const Version = z.object({ record_version: z.int().optional() });

/** A tombstone's record is a deletion. Undefined if no record makes such an item. @throws ZodError if the item does not match its key. */
export function exportedRecord({ PK, SK }: ItemKey, item: Item): InputRecord | Deletion | undefined {
  const resource = resourceOf(SK);
  if (!resource || !recordTypes.some((type) => type === resource.type)) return undefined;
  const { type, schema, extraFields = {} } = resource;
  const envelope = { type, organisation_id: organisationIdOf(PK), version: Version.parse(item).record_version };
  if (isTombstone(item)) return Deletion.parse({ ...envelope, id: Number(PK.split("#").at(-1)), deleted: true });
  return ExportedRecord.parse({
    ...envelope,
    ...z.object(extraFields).parse(item),
    data: storedForm(schema).parse(item),
  });
}

/**
 * A file that appears, or replaces an existing one, only when it is complete. Only its owner can read it. It has a temporary name in the same
 * directory until it is kept.
 * @throws UsageError if it cannot be created.
 */
async function beginWholeFile(file: string) {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  const handle = await open(unfinished, "wx", 0o600).catch((cause: Error) => {
    throw new UsageError(`Cannot write ${file}: ${cause.message}.`, { cause });
  });
  let last = Promise.resolve();
  return {
    /** Appends text. May be called while an earlier write is in flight. */
    write(text: string) {
      last = last.then(() => handle.appendFile(text));
      return last;
    },
    async keep() {
      await last;
      await handle.sync();
      await handle.close();
      await rename(unfinished, file);
    },
    /** Deletes the file, unless it was kept. */
    async discard() {
      await last.catch(() => undefined);
      await handle.close();
      await rm(unfinished, { force: true });
    },
  };
}

const about = `Reads the whole table once. Fails if the table has nothing of the organisation.
The two files appear only when they are complete, and only their owner can read them.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again; it starts from the beginning.`;

const Options = z.object({
  organisation: organisationOption,
  actor: actorOption,
  output: option(
    z.string().min(1).optional(),
    "FILE",
    "the records, for npm run ops -- import; default: organisation-ID.ndjson. Other data goes to a second file with .additions.ndjson instead of .ndjson",
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
