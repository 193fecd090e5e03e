import * as z from "zod";
import { parseRecord } from "../../functions/feed/parseRecord.ts";
import { type Line, readLines } from "../../functions/feed/readLines.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { BalancePayment, balancePayments } from "../../functions/resources/balancePayment.ts";
import { Id } from "../../functions/resources/fields.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import { storedForm } from "../../functions/resources/resource.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys } from "../../functions/table/itemKeys.ts";
import { placeOf } from "../../functions/table/lists.ts";
import { timeOrderedIdPattern } from "../../functions/values/timeOrderedId.ts";
import { openInput } from "../import/importFile.ts";
import { type Io, UsageError } from "../shared/command.ts";
import { storedKinds } from "./exportOrganisation.ts";
import type { Source } from "./organisationRestore.ts";

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
  for await (const line of linesOf(files.additions, io, "The file of additions")) {
    const { kind, data } = parsed(Addition, line, files.additions, organisationId);
    const problem = `line ${line.number}`;
    if (kind === "order_note") {
      const { order_id, ...note } = checked(Noted, data, files.additions, problem);
      notes.set(order_id, note);
    } else if (kind === "balance_payment") {
      const payment = checked(storedForm(BalancePayment), data, files.additions, problem);
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
  for (const [eventId, balance] of balances)
    additions.push({ ...itemKeys.balance(organisationId, eventId), ...balance });
  const source: Source = async (onPage) => {
    let page: Item[] = additions;
    for await (const line of linesOf(files.records, io)) {
      const item = recordOf(line, files.records, organisationId);
      const api_note = item.SK === itemKeys.order(1, 1).SK ? notes.get(Number(item.id)) : undefined;
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

async function* linesOf(file: string, io: Io, name?: string): AsyncGenerator<Line> {
  yield* readLines(await openInput(file, io, name));
}

function recordOf(line: Line, file: string, organisationId: number): Item {
  const { organisation_id: _, ...value } = parsed(
    z.looseObject({ organisation_id: z.int() }),
    line,
    file,
    organisationId,
  );
  const record = parseRecord({ ...value, organisation_id: organisationId }, { isExported: true });
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

/** The kinds of additions whose items have time-ordered ids. */
const timeOrderedKinds: Record<string, (organisationId: number, id: string) => ItemKey> = {
  api_key: itemKeys.apiKey,
  webhook: itemKeys.webhook,
  activity: itemKeys.activity,
};
const StoredKey = z.object({ id: z.string().regex(timeOrderedIdPattern) });
const StoredHash = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), organisation_id: z.int() });

/** The key of an addition that is an item as it was stored; undefined if it is of another kind or has no valid key. */
function keyOf(kind: string, organisationId: number, data: Item): ItemKey | undefined {
  if (![...storedKinds.values()].includes(kind)) return undefined;
  if (kind === "access") return itemKeys.access(organisationId);
  if (kind === "api_key_hash") {
    const { data: stored } = StoredHash.safeParse(data);
    return stored?.organisation_id === organisationId ? itemKeys.apiKeyHash(stored.hash) : undefined;
  }
  const { data: stored } = StoredKey.safeParse(data);
  if (!stored) return undefined;
  return timeOrderedKinds[kind]?.(organisationId, stored.id);
}
