import { acceptance, acceptedAt as stampOf } from "../../../functions/data/records/orderItem.ts";
import { recordItem } from "../../../functions/data/records/recordItem.ts";
import { upsertBatch } from "../../../functions/data/records/upsertRecord.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { useLocalTable } from "../../../local/dynamodb/localTable.ts";
import type { ServiceDescription } from "../../../local/serviceDescription.ts";
import { eventRecord, orderRecord } from "../data/records.ts";

/** An organisation for which the service starts without data. */
export const organisationId = 1842;
const beginningMs = Date.UTC(2026, 0, 1);

/** More than fill one page of a list. */
export const eventIds = Array.from({ length: 230 }, (_, index) => index + 1);
export const orderIds = Array.from({ length: 450 }, (_, index) => index + 1);

/** When a change of an order was accepted, in minutes after the first: long ago, so that lists show it at once. */
export function acceptedAt(minute: number): string {
  return new Date(beginningMs + minute * 60_000).toISOString();
}

/** Gives a running local service known data of one organisation. Its orders were accepted in the order of their ids. */
export async function integratorStage(description: ServiceDescription) {
  const organisation = description.organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const keyWith = (name: string) => organisation?.keys.find((key) => key.name === name)?.key ?? "";
  useLocalTable(description.dynamodb_endpoint, description.table_name);
  const orders = orderIds.map((id) => orderItem(id, acceptedAt(id)));
  await putItems([...eventIds.map((id) => recordItem(eventRecord(organisationId, id))), ...orders]);
  return {
    baseUrl: description.base_url,
    apiKey: keyWith("All scopes"),
    readOnlyKey: keyWith("Read only"),
    /** Changes an order, as if the change had been accepted at the given time. */
    changeOrder: (id: number, accepted: string, reference: string) => putItems([orderItem(id, accepted, reference)]),
  };
}

function orderItem(id: number, accepted: string, reference = `ORDER${id}`) {
  const record = orderRecord(organisationId, id, { event_id: 1, date_id: 1, reference });
  return { ...recordItem(record), [acceptance]: stampOf(accepted, id) };
}

async function putItems(items: Parameters<typeof upsertBatch>[1]): Promise<void> {
  const left = await upsertBatch(openTable(), items.slice(0, 25));
  const remaining = [...left, ...items.slice(25)];
  if (remaining.length > 0) await putItems(remaining);
}
