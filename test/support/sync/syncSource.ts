import { paginate, recordBalancePayment, type TicketingClient } from "../../../clients/typescript/index.ts";
import { keys } from "../../../functions/data/table/keys.ts";
import type { Deletion, Record as InputRecord } from "../../../functions/resources/record.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../data/records.ts";
import { collect } from "../http/collect.ts";
import { type integratorStage, organisationId } from "../service/integratorStage.ts";
import type { Row } from "./row.ts";

/** A text that looks like parts of a page, for programs that do not parse JSON. */
const confusing =
  '{"type":"order","id":1,"change":"deleted",\n{"data":null}],"pagination":{"has_more":true} \\" é 🎭 {';

/** One record of each type with this id. All but the event belong to an event and a date. */
export function recordsOfAllTypes(id: number, event_id: number, date_id: number, text: string): InputRecord[] {
  const name = `${confusing} ${text}`;
  return [
    eventRecord(organisationId, id, { name }),
    dateRecord(organisationId, event_id, id, { name }),
    categoryRecord(organisationId, event_id, id, { name }),
    orderRecord(organisationId, id, { event_id, date_id, reference: name }),
    ticketRecord(organisationId, id, { event_id, date_id, seat: name }),
    paymentRecord(organisationId, id, { event_id, date_id, reason: name }),
    discountRecord(organisationId, id, { event_id, name }),
    attendeeRecord(organisationId, id, { event_id, date_id, first_name: name }),
  ];
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
  await stage.age(keys.balance_payment(organisationId, id));
  await client.PATCH("/v1/orders/{id}", { params: { path: { id: orderId } }, body: { admin_note: confusing } });
  await stage.age(keys.order(organisationId, orderId));
}

/**
 * Every resource of the organisation, from the lists of the API.
 * @param eventIds the events that have children.
 * @param dateIds the dates that have children.
 */
export async function sourceRows(client: TicketingClient, eventIds: number[], dateIds: number[]): Promise<Row[]> {
  const rows: Row[] = [];
  const add = async (type: string, list: AsyncIterable<{ id: number }>, parent = {}) => {
    for (const data of await collect(list)) rows.push({ type, id: data.id, ...parent, data });
  };
  await add("event", paginate(client, "/v1/events"));
  await add("event_date", paginate(client, "/v1/dates"));
  await add("order", paginate(client, "/v1/orders"));
  for (const id of eventIds) {
    const ofEvent = { params: { path: { id } } };
    await add("ticket_category", paginate(client, "/v1/events/{id}/ticket-categories", ofEvent), { event_id: id });
    await add("payment", paginate(client, "/v1/events/{id}/payments", ofEvent));
    await add("discount", paginate(client, "/v1/events/{id}/discounts", ofEvent));
    await add("balance_payment", paginate(client, "/v1/events/{id}/balance-payments", ofEvent));
  }
  for (const id of dateIds) {
    const ofDate = { params: { path: { id } } };
    await add("ticket", paginate(client, "/v1/dates/{id}/tickets", ofDate));
    await add("attendee", paginate(client, "/v1/dates/{id}/attendees", ofDate));
  }
  return rows;
}
