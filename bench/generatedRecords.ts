import { tableWriter } from "../functions/feed/tableWriter.ts";
import { recordItem } from "../functions/records/recordItem.ts";
import { Event } from "../functions/resources/event.ts";
import { exampleOf } from "../functions/resources/fields.ts";
import { recordResources } from "../functions/resources/index.ts";
import { Order } from "../functions/resources/order.ts";
import { Record as InputRecord, type RecordType } from "../functions/resources/record.ts";
import type { Resource } from "../functions/resources/resource.ts";
import { ownerOf } from "../functions/summaries/countedItem.ts";
import { countItems } from "../functions/summaries/countRecords.ts";
import { backOff } from "../functions/table/retries.ts";
import { openUncountedTable } from "../functions/table/table.ts";

/** Has more events; everything else is the same. */
export const largeOrganisation = 1;
export const smallOrganisation = 2;

/** The first event; ids go on from here and have the same number of digits, so that items have the same size. */
const firstId = 1_000_000_000;
/** More than a default page. */
const childrenPerEvent = 60;

/** Has orders with two tickets and a payment each. */
export const sellingOrganisation = 3;

/** The id of the event, date and order that have children of every kind, and of one record of each other type. */
export const generatedId = firstId;

export const childlessId = firstId + 1;

const event = {
  ...exampleOf(Event),
  description: "An evening of string quartets, with an interval and a talk by the musicians before the concert.",
};
const { event: _, ...childResources } = recordResources;
const children: Partial<Record<RecordType, object>> = {
  ...Object.fromEntries(Object.values<Resource>(childResources).map(({ type, schema }) => [type, exampleOf(schema)])),
  // The note keeps a page of orders away from a multiple of 4 KB, where one byte costs a read unit.
  order: { ...exampleOf(Order), admin_note: "Wheelchair place at the aisle" },
};
const parents = { event_id: firstId, date_id: firstId, order_id: firstId, ticket_category_id: firstId };

/** A number of events of an organisation. The first event, its first date and its first order have children of every kind. */
export function* generatedRecords(organisation_id: number, events: number): Generator<InputRecord> {
  for (let number = 0; number < events; number++) {
    const date_created = day(number % 10_000);
    yield { type: "event", organisation_id, data: { ...event, id: firstId + number, organisation_id, date_created } };
    if (number === 0) yield* generatedChildren(organisation_id);
  }
}

function* generatedChildren(organisation_id: number): Generator<InputRecord> {
  for (let child = 0; child < childrenPerEvent; child++) {
    for (const type of Object.keys(children)) yield childOf(organisation_id, type as RecordType, child);
  }
}

/** More orders than a default page, each with two tickets and a payment. */
export function* generatedOrders(): Generator<InputRecord> {
  for (let child = 0; child < childrenPerEvent; child++) {
    const order_id = firstId + child;
    yield childOf(sellingOrganisation, "order", child);
    yield childOf(sellingOrganisation, "payment", child, { order_id });
    for (const ticket of [2 * child, 2 * child + 1]) yield childOf(sellingOrganisation, "ticket", ticket, { order_id });
  }
}

function childOf(organisation_id: number, type: RecordType, child: number, of: object = {}): InputRecord {
  const example = children[type] ?? {};
  const sorted = { id: firstId + child, date: day(child), date_created: day(child), sort_index: child };
  const values = { ...parents, ...sorted, ...of };
  const own = Object.entries(values).filter(([name]) => name in example);
  const data = { ...example, ...Object.fromEntries(own) };
  const { extraFields = {} }: Resource = recordResources[type];
  const outside = Object.fromEntries(Object.keys(extraFields).map((name) => [name, firstId]));
  return InputRecord.parse({ type, organisation_id, ...outside, data });
}

/** Midnight UTC of a day, counted from the first of 2000. */
function day(number: number): string {
  return new Date(Date.UTC(2000, 0, 1 + number)).toISOString();
}

/** Counts the children in the summaries, as the stream's consumer does. */
export async function countChildren(organisationId: number): Promise<void> {
  const items = Array.from(generatedChildren(organisationId), recordItem);
  const toCount = items.map((item) => ({ key: item, owners: [ownerOf(item, item)] }));
  const failures = await countItems(openUncountedTable(), toCount, backOff(new AbortController().signal));
  if (failures.length > 0) throw new Error("A generated record was not counted.", { cause: failures[0]?.error });
}

export async function writeRecords(records: Iterable<InputRecord>): Promise<void> {
  const writer = tableWriter(openUncountedTable(), backOff(new AbortController().signal));
  for (const record of records) await writer.add(recordItem(record));
  await writer.finish();
}
