import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { describeIssues, parseRecord } from "../../functions/feed/parseRecord.ts";
import { type Line, readLines } from "../../functions/feed/readLines.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { BalancePayment, balancePayments } from "../../functions/resources/balancePayment.ts";
import { Id } from "../../functions/resources/fields.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import { exportedForm } from "../../functions/resources/resource.ts";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { placeOf } from "../../functions/table/lists.ts";
import { openInput } from "../import/importFile.ts";
import type { Io } from "../shared/command.ts";
import { AuditEntry } from "./organisation.ts";
import type { Source } from "./organisationRestore.ts";
import { storedKind } from "./storedKinds.ts";

/** The two files of an export, and the organisation that they must belong to. */
interface Export {
  records: string;
  additions: string;
  organisationId: number;
  /** The organisation that the table's API key with this hash belongs to, if any. */
  ownerOf: (hash: string) => Promise<number | undefined>;
}

const Addition = z.strictObject({ kind: z.string(), organisation_id: z.int(), data: z.looseObject({}) });
const Audit = z.strictObject(AuditEntry.shape);
const Noted = z.strictObject({ ...ApiNote.shape, order_id: Id });
/** Its type, amount and event make the balance. */
const Payment = exportedForm(BalancePayment).extend({
  id: Id,
  event_id: Id,
  type: BalancePayment.shape.type,
  amount: BalancePayment.shape.amount,
});
type Payment = z.infer<typeof Payment>;
const pageSize = 500;

type Fail = (problem: string) => UsageError;

/**
 * The items of an export. Their keys and places in indexes follow from their attributes, and none is another organisation's.
 * @throws UsageError that names the line and its members but no value, if a file is not an export of this organisation.
 */
export async function exportSource(exported: Export, io: Io): Promise<Source> {
  const { records, organisationId } = exported;
  const { notes, additions } = await readAdditions(exported, io);
  const source: Source = async (onPage) => {
    let page: Item[] = [...additions];
    for await (const line of linesOf(records, io)) {
      const item = recordOf(line, records, organisationId);
      const api_note = item.SK === itemKeys.order(1, 1).SK ? notes.get(Number(item.id)) : undefined;
      page.push({ ...item, ...(api_note && { api_note }) });
      if (page.length < pageSize) continue;
      await onPage(page);
      page = [];
    }
    await onPage(page);
  };
  // A mistake in the last line must not leave half an organisation behind.
  for await (const line of linesOf(records, io)) recordOf(line, records, organisationId);
  return source;
}

async function readAdditions(exported: Export, io: Io) {
  const { additions: file, organisationId } = exported;
  const notes = new Map<number, z.infer<typeof ApiNote>>();
  const payments: Payment[] = [];
  const items = new Map<string, Item>();
  const add = (item: Item, fail: Fail) => {
    const key = JSON.stringify([item.PK, item.SK]);
    if (items.has(key)) throw fail("an earlier line has the same item");
    items.set(key, item);
  };
  for await (const line of linesOf(file, io, "The file of additions")) {
    const fail = failAt(file, line);
    const { kind, data } = parsed(Addition, line, organisationId, fail);
    if (kind === "order_note") {
      const { order_id, ...note } = checked(Noted, data, fail);
      notes.set(order_id, note);
    } else if (kind === "organisation_audit") assertOwn(checked(Audit, data, fail), organisationId, fail);
    else if (kind === "balance_payment") {
      const payment = checked(Payment, data, fail);
      payments.push(payment);
      add({ ...placeOf(balancePayments, organisationId, payment), ...payment }, fail);
    } else add(await storedItem(kind, data, exported, fail), fail);
  }
  return { notes, additions: [...items.values(), ...balancesOf(payments, organisationId)] };
}

async function storedItem(kind: string, data: Item, { organisationId, ownerOf }: Export, fail: Fail): Promise<Item> {
  const stored = storedKind(kind);
  if (!stored) throw fail("kind: this kind cannot be restored");
  const item = checked(stored.schema, data, fail);
  assertOwn(item, organisationId, fail);
  const owner = typeof item.hash === "string" ? await ownerOf(item.hash) : undefined;
  if (owner !== undefined && owner !== organisationId) throw fail("hash: another organisation has this API key");
  return { ...item, ...stored.keyOf(organisationId, item) };
}

/** The running totals of all events with payments. */
function balancesOf(payments: Payment[], organisationId: number): Item[] {
  return [...Map.groupBy(payments, ({ event_id }) => event_id)].map(([eventId, some]) => ({
    ...itemKeys.balance(organisationId, eventId),
    balance: some.reduce((sum, { type, amount }) => sum + (type === "refund" ? -amount : amount), 0),
    revision: some.length,
  }));
}

async function* linesOf(file: string, io: Io, name?: string): AsyncGenerator<Line> {
  yield* readLines(await openInput(file, io, name));
}

function recordOf(line: Line, file: string, organisationId: number): Item {
  const fail = failAt(file, line);
  const value = parsed(z.looseObject({ organisation_id: z.int() }), line, organisationId, fail);
  const record = parseRecord(value, { isExported: true });
  if ("problem" in record) throw fail(record.problem);
  assertOwn(record.item, organisationId, fail);
  return record.item;
}

function parsed<Value extends { organisation_id: number }>(
  schema: z.ZodType<Value>,
  line: Line,
  organisationId: number,
  fail: Fail,
): Value {
  if ("problem" in line) throw fail(line.problem);
  const json = parseJson(line.text);
  if ("problem" in json) throw fail(json.problem);
  const value = checked(schema, json.value, fail);
  assertOwn(value, organisationId, fail);
  return value;
}

function assertOwn({ organisation_id }: Item, organisationId: number, fail: Fail): void {
  if (organisation_id === undefined || organisation_id === organisationId) return;
  throw fail("organisation_id: it belongs to another organisation");
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, fail: Fail): Value {
  const { data, error } = schema.safeParse(value);
  if (error) throw fail(describeIssues(error.issues));
  return data;
}

/** The file's name exists, so it is not a mistyped secret. */
function failAt(file: string, { number }: Line): Fail {
  return (problem) => new UsageError(`${file}, line ${number}: ${problem.replace(/\.$/, "")}. Nothing was written.`);
}
