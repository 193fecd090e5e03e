import * as z from "zod";
import { UsageError } from "../../common/usageError.ts";
import { parseRecord } from "../../functions/feed/parseRecord.ts";
import { type Line, readLines } from "../../functions/feed/readLines.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { renewStamp, writeAccepted } from "../../functions/records/acceptance.ts";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { BalancePayment, balancePayments } from "../../functions/resources/balancePayment.ts";
import { Id, timeOrderedIdPattern } from "../../functions/resources/fields.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { type Item, isTombstone } from "../../functions/table/attributeValue.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import {
  type ItemKey,
  itemTypeOf,
  keys,
  listAttributes,
  placeAttributes,
  placeOf,
} from "../../functions/table/keys.ts";
import { Pace } from "../../functions/table/pace.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { putItem, updateItem, updateOf } from "../../functions/table/writes.ts";
import { openInput } from "../import/importFile.ts";
import type { Io } from "../shared/command.ts";
import { scanInParallel } from "../table/scanTable.ts";
import { type Counts, itemsOfOrganisation } from "./organisation.ts";
import { storedKinds } from "./organisationExport.ts";

/** The progress so far. */
export interface Restored {
  /** Written items by kind. */
  counts: Counts;
  /** Items that were there already, and stay. */
  present: number;
  failures: { key: ItemKey; error: unknown }[];
  /** The API keys that work after the restore. */
  activeKeys: { name: string; prefix: string }[];
}

/** All items of one organisation, page by page. Called twice for an export: the first time nothing is written. */
export type Source = (onPage: (items: Item[]) => Promise<void>) => Promise<void>;

interface Waiting {
  pause: Pause;
  signal: AbortSignal;
}

const Key = z.object({ PK: z.string(), SK: z.string() });
const ActiveKey = z.object({ name: z.string(), prefix: z.string(), status: z.literal("active") });

/** The items that the summaries' consumer makes again, from the stream of the others, and the turns of requests that have ended. */
const countedAgain: ReadonlySet<string> = new Set(
  [keys.eventSummary(1, 1), keys.dateSummary(1, 1), keys.contribution("")].map(itemTypeOf),
);

/**
 * Writes an organisation's items that the table lacks. Items that are there stay: after an erasure, they arrived later. The hashes of API keys come
 * last, so that nobody reads or writes before the rest is back. Writing it again completes an interrupted run.
 *
 * @param restored is updated during the run.
 */
export async function restoreOrganisation(
  table: Table,
  organisationId: number,
  source: Source,
  restored: Restored,
  { pause, signal }: Waiting,
): Promise<void> {
  const pace = new Pace();
  const hashes: Item[] = [];
  const restoreOne = async (item: Item) => {
    const key = Key.parse(item);
    const type = itemTypeOf(key);
    if (countedAgain.has(type) || key.SK === keys.balanceTurns(1, 1).SK) return;
    try {
      const isNew = await untilAnswered(() => pace.run(() => writeMissing(table, organisationId, key, item)), pause);
      if (!isNew) restored.present += 1;
      else restored.counts[type] = (restored.counts[type] ?? 0) + 1;
    } catch (error) {
      if (signal.aborted || isOfTable(error)) throw error;
      restored.failures.push({ key, error });
    }
  };
  await source(async (items) => {
    signal.throwIfAborted();
    const isHash = (item: Item) => itemTypeOf(Key.parse(item)) === itemTypeOf(keys.apiKeyHash(""));
    hashes.push(...items.filter(isHash));
    await Promise.all(items.filter((item) => !isHash(item)).map(restoreOne));
  });
  signal.throwIfAborted();
  await Promise.all(hashes.map(restoreOne));
  restored.activeKeys.push(...hashes.flatMap((item) => ActiveKey.safeParse(item).data ?? []));
}

/** Failures of the table itself, which the next item would meet too. */
function isOfTable(error: unknown): boolean {
  return error instanceof Error && ("$metadata" in error || error.name === "GivenUp");
}

/**
 * Writes an item if its key is free. What readers of changes follow gets a new place among them, so that they see it.
 * @returns false if the key is taken.
 */
async function writeMissing(table: Table, organisationId: number, key: ItemKey, item: Item): Promise<boolean> {
  const resource = resourceOf(key.SK);
  if (!resource) return put(table, item);
  const place = isTombstone(item) ? {} : placeOf(resource, organisationId, item);
  const fields = Object.entries(item).filter(([name]) => !placeNames.has(name));
  const placed: Item = { ...Object.fromEntries(fields), ...place, ...key };
  // The pipe would send balance payments again as events; those of orders are sent only for changes.
  const isRecord = recordTypes.some((type) => type === resource.type);
  const marked = isRecord ? placed : { ...placed, restored: true };
  const write = ({ attributes }: { attributes: Item }) =>
    put(table, { ...kept(marked, table.clock.nowMs()), ...attributes });
  return (await writeAccepted(table, key, write)) || addNote(table, key, item);
}

const { partitionKey, sortKey } = listAttributes({ index: "GSI3" });
const placeNames = new Set([...placeAttributes, partitionKey, sortKey]);

async function put(table: Table, item: Item): Promise<boolean> {
  try {
    await putItem(table, item, { condition: "attribute_not_exists(PK)" });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** The core system may have sent an order again, without the note that was set through the API. */
async function addNote(table: Table, { PK, SK }: ItemKey, { api_note, revision }: Item): Promise<boolean> {
  if (api_note === undefined) return false;
  const condition = "attribute_exists(PK) AND attribute_not_exists(deleted) AND attribute_not_exists(api_note)";
  try {
    await updateItem(table, { PK, SK }, updateOf({ set: { api_note, revision } }, { condition }));
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  await renewStamp(table, { PK, SK });
  return true;
}

/** The organisation's items of another table, such as one restored to a point in time. */
export function tableSource(table: Table, organisationId: number, waiting: Waiting): Source {
  return (onPage) => scanInParallel(table, itemsOfOrganisation(organisationId), onPage, waiting);
}

/** The two files of an export. */
interface ExportedFiles {
  records: string;
  additions: string;
}

const Addition = z.object({ kind: z.string(), organisation_id: z.int(), data: z.looseObject({}) });
const Noted = ApiNote.extend({ order_id: Id });
const pageSize = 500;

/**
 * The items of an export.
 *
 * @throws UsageError that names the line, if a file is not an export of this organisation.
 */
export async function exportSource(files: ExportedFiles, organisationId: number, io: Io): Promise<Source> {
  const notes = new Map<number, z.infer<typeof ApiNote>>();
  const balances = new Map<number, { balance: number; revision: number }>();
  const additions: Item[] = [];
  for await (const line of linesOf(files.additions, io)) {
    const { kind, data } = parsed(Addition, line, files.additions, organisationId);
    const problem = `line ${line.number}`;
    if (kind === "order_note") {
      const { order_id, ...note } = checked(Noted, data, files.additions, problem);
      notes.set(order_id, note);
    } else if (kind === "balance_payment") {
      const payment = checked(BalancePayment, data, files.additions, problem);
      const { balance, revision } = balances.get(payment.event_id) ?? { balance: 0, revision: 0 };
      const change = payment.type === "refund" ? -payment.amount : payment.amount;
      balances.set(payment.event_id, { balance: balance + change, revision: revision + 1 });
      additions.push({ ...placeOf(balancePayments, organisationId, payment), ...payment });
    } else if (kind !== "organisation_audit") {
      const key = keyOf(kind, organisationId, data);
      if (!key) throw unusable(files.additions, problem, `the kind ${kind} cannot be restored`);
      additions.push({ ...data, ...key });
    }
  }
  for (const [eventId, balance] of balances) additions.push({ ...keys.balance(organisationId, eventId), ...balance });
  const source: Source = async (onPage) => {
    let page: Item[] = additions;
    for await (const line of linesOf(files.records, io)) {
      const item = recordOf(line, files.records, organisationId);
      const api_note = item.SK === keys.order(1, 1).SK ? notes.get(Number(item.id)) : undefined;
      page.push({ ...item, ...(api_note && { api_note }) });
      if (page.length < pageSize) continue;
      await onPage(page);
      page = [];
    }
    await onPage(page);
  };
  // A mistake in the last line must not leave half an organisation behind.
  for await (const line of linesOf(files.records, io)) recordOf(line, files.records, organisationId);
  return source;
}

async function* linesOf(file: string, io: Io): AsyncGenerator<Line> {
  const { chunks } = await openInput(file, io);
  yield* readLines(chunks);
}

function recordOf(line: Line, file: string, organisationId: number): Item {
  const { organisation_id: _, ...value } = parsed(
    z.looseObject({ organisation_id: z.int() }),
    line,
    file,
    organisationId,
  );
  const record = parseRecord({ ...value, organisation_id: organisationId });
  if ("problem" in record) throw unusable(file, `line ${line.number}`, record.problem);
  return record.item;
}

function parsed<Value extends { organisation_id: number }>(
  schema: z.ZodType<Value>,
  line: Line,
  file: string,
  organisationId: number,
): Value {
  const place = `line ${line.number}`;
  if ("problem" in line) throw unusable(file, place, line.problem);
  const json = parseJson(line.text);
  if ("problem" in json) throw unusable(file, place, json.problem);
  const value = checked(schema, json.value, file, place);
  if (value.organisation_id === organisationId) return value;
  throw unusable(file, place, `it belongs to organisation ${value.organisation_id}`);
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, file: string, place: string): Value {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const fields = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw unusable(file, place, fields.join("; "));
}

function unusable(file: string, place: string, problem: string): UsageError {
  return new UsageError(`${file}, ${place}: ${problem}. Nothing was written.`);
}

const StoredKey = z.object({ id: z.string().regex(timeOrderedIdPattern) });
const StoredHash = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), organisation_id: z.int() });

/** The key of an addition that is an item as it was stored; undefined if it is of another kind or has no valid key. */
function keyOf(kind: string, organisationId: number, data: Item): ItemKey | undefined {
  if (![...storedKinds.values()].includes(kind)) return undefined;
  if (kind === "access") return keys.access(organisationId);
  if (kind === "api_key_hash") {
    const { data: stored } = StoredHash.safeParse(data);
    return stored?.organisation_id === organisationId ? keys.apiKeyHash(stored.hash) : undefined;
  }
  const { data: stored } = StoredKey.safeParse(data);
  if (!stored) return undefined;
  return kind === "api_key" ? keys.apiKey(organisationId, stored.id) : keys.apiKeyActivity(organisationId, stored.id);
}
