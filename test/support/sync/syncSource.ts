import { paginate, recordBalancePayment, type TicketingClient } from "../../../clients/typescript/index.ts";
import { resources } from "../../../functions/resources/index.ts";
import { type Deletion, type Record as InputRecord, recordTypes } from "../../../functions/resources/record.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { keys } from "../../../functions/table/keys.ts";
import { anyRecord } from "../data/records.ts";
import { collect } from "../http/collect.ts";
import { listPathOf } from "../http/examples.ts";
import { type integratorStage, organisationId } from "../service/integratorStage.ts";
import type { Row } from "./row.ts";

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
  for (const { type, schema, beside = {} } of Object.values<Resource>(resources)) {
    const path = listPathOf({ schema });
    const ids = path.startsWith("/v1/events/") ? eventIds : path.includes("{id}") ? dateIds : [0];
    for (const id of ids) {
      // The client's types know each path, but not a variable one.
      const list = paginate(client, path as "/v1/events/{id}/dates", { params: { path: { id } } });
      const outside = Object.fromEntries(Object.keys(beside).map((name) => [name, id]));
      for (const data of await collect(list)) rows.push({ type, id: data.id, ...outside, data });
    }
  }
  return rows;
}
