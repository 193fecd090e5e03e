import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Change } from "../../../functions/changes/change.ts";
import { tombstone } from "../../../functions/records/recordItem.ts";
import { resources } from "../../../functions/resources/index.ts";
import {
  type Deletion,
  type Record as InputRecord,
  type RecordType,
  recordTypes,
} from "../../../functions/resources/record.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import type { Table } from "../../../functions/table/table.ts";
import { paginate, recordBalancePayment, type TicketingClient } from "../../../packages/client-typescript/index.ts";
import { anyRecord } from "../data/records.ts";
import { putItems } from "../data/table.ts";
import { collect } from "../http/client.ts";
import { listPathOf } from "../http/examples.ts";
import { type integratorStage, organisationId } from "../service/integratorStage.ts";

const pollMs = 300;
/** If a reader sees no change for this long, it fails. */
const maximumQuietMs = 180_000;

/** The pages from a cursor up to the latest visible change. */
type Pages = (cursor: string | undefined) => AsyncIterable<{ changes: Change[]; resumeCursor: string }>;

/** A copy of an organisation's data that follows its changes, as the guide on incremental sync describes. */
export function mirrorOf(pages: Pages) {
  const rows = new Map<string, Row>();
  let cursor: string | undefined;

  function store({ type, id, change, data, ...parent }: Change): void {
    if (change === "deleted") rows.delete(`${type} ${id}`);
    else rows.set(`${type} ${id}`, Row.parse({ type, id, ...parent, data }));
  }

  /**
   * Syncs from the stored cursor repeatedly until it reaches a change.
   *
   * @param stops true if a sync stops here: before or after a page's cursor is stored.
   * @returns all changes, in order. Syncs that stopped may have repeated some.
   */
  async function follow(last: Pick<Change, "type" | "id">, stops = () => false): Promise<Change[]> {
    const all: Change[] = [];
    let latestMs = Date.now();
    for (;;) {
      for await (const { changes, resumeCursor } of pages(cursor)) {
        for (const change of changes) store(change);
        all.push(...changes);
        if (changes.length > 0) latestMs = Date.now();
        if (stops()) break;
        cursor = resumeCursor;
        if (stops()) break;
      }
      if (all.some(({ type, id }) => type === last.type && id === last.id)) return all;
      assert.ok(Date.now() - latestMs < maximumQuietMs, `No change of ${last.type} ${last.id} appeared.`);
      await wait(pollMs);
    }
  }

  return { rows, follow };
}

/** A deletion of something that never existed: a change that no copy and no list shows. */
export function marker(number: number): { type: RecordType; id: number } {
  return { type: "event", id: Number.MAX_SAFE_INTEGER - number };
}

/** Writes a marker. A mirror that reaches it has seen all changes before it. */
export async function putMarker(
  organisation_id: number,
  { type, id }: ReturnType<typeof marker>,
  table?: Table,
): Promise<void> {
  await putItems([tombstone({ type, organisation_id, id, deleted: true, version: 1 })], table);
}

/** A resource in a mirror. */
export const Row = z.object({
  type: z.string(),
  id: z.int(),
  /** Only of a ticket category. */
  event_id: z.int().optional(),
  data: z.looseObject({ id: z.int() }),
});
export type Row = z.infer<typeof Row>;

const keyOf = ({ type, id }: Row) => `${type} ${String(id).padStart(16)}`;

/** The rows in one order, to compare mirrors. */
export function sortedRows(rows: Iterable<Row>): Row[] {
  return [...rows].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Compares many rows, as text, because the order of the fields counts too. The message shows only some that differ. */
export function assertSameRows(actual: Iterable<Row>, expected: Iterable<Row>): void {
  const byKey = (rows: Iterable<Row>) => new Map([...rows].map((row) => [keyOf(row), JSON.stringify(row)]));
  const [one, other] = [byKey(actual), byKey(expected)];
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
  const shown = differing.slice(0, 3).map((key) => `${one.get(key)} instead of ${other.get(key)}`);
  assert.equal(differing.length, 0, `${differing.length} rows differ:\n${shown.join("\n")}`);
}

/** A text that looks like parts of a page, for programs that do not parse JSON. */
const confusing =
  '{"type":"order","id":1,"change":"deleted",\n{"data":null}],"pagination":{"has_more":true} \\" é 🎭 {';

/** One record of each type with this id. All but the event belong to an event and a date. */
export function recordsOfAllTypes(id: number, event_id: number, date_id: number, text: string): InputRecord[] {
  return recordTypes.map((type) => anyRecord(type, organisationId, id, `${confusing} ${text}`, { event_id, date_id }));
}

export function deletionOf({ type, organisation_id, data }: InputRecord): Deletion {
  return { type, organisation_id, id: data.id, deleted: true, version: 1 };
}

/** Records a balance payment and sets a note through the API. */
export async function writeThroughApi(
  client: TicketingClient,
  stage: Awaited<ReturnType<typeof integratorStage>>,
  { eventId, orderId }: { eventId: number; orderId: number },
): Promise<void> {
  const { id } = await recordBalancePayment(client, eventId, { type: "payment", amount: 1250, note: confusing });
  await stage.age(itemKeys.balance_payment(organisationId, id));
  await client.PATCH("/v1/orders/{id}", { params: { path: { id: orderId } }, body: { admin_note: confusing } });
  await stage.age(itemKeys.order(organisationId, orderId));
}

/**
 * Every resource of the organisation, from the lists of the API.
 * @param eventIds the events that have children.
 * @param dateIds the dates that have children.
 */
export async function sourceRows(client: TicketingClient, eventIds: number[], dateIds: number[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { type, schema, extraFields = {} } of Object.values<Resource>(resources)) {
    const path = listPathOf({ schema });
    const ids = path.startsWith("/v1/events/") ? eventIds : path.includes("{id}") ? dateIds : [0];
    for (const id of ids) {
      // The client's types know each path, but not a variable one.
      const list = paginate(client, path as "/v1/events/{id}/dates", { params: { path: { id } } });
      const outside = Object.fromEntries(Object.keys(extraFields).map((name) => [name, id]));
      for (const data of await collect(list)) rows.push({ type, id: data.id, ...outside, data });
    }
  }
  return rows;
}
