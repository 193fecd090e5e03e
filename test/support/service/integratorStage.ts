import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { changeTimeAttribute } from "../../../functions/records/changeTime.ts";
import { deletionsShownDays, type RecordItem, recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import type { Deletion, Record as InputRecord } from "../../../functions/resources/record.ts";
import type { ItemKey } from "../../../functions/table/itemKeys.ts";
import { changeKey } from "../../../functions/table/lists.ts";
import { backOff, retryWhileUnavailable } from "../../../functions/table/retries.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { type ServiceDescription, useLocalTable } from "../../../local/localService.ts";
import { eventRecord, orderRecord, paymentRecord, ticketRecord } from "../data/records.ts";
import { tableAt } from "../data/table.ts";

/** An organisation for which the service starts without data. */
export const organisationId = 1842;
const dayMs = 24 * 60 * 60 * 1_000;
/** Few enough for a busy machine. */
const writesAtATime = 10;
const beginningMs = Date.now() - dayMs;

/** More than fill one page of a list. */
export const eventIds = Array.from({ length: 230 }, (_, index) => index + 1);
export const orderIds = Array.from({ length: 60 }, (_, index) => index + 1);

/** The change time of the n-th change, from 1: a second after the previous one, and long ago, so that readers see it at once. */
export function acceptedAt(change: number): string {
  return new Date(beginningMs + change * 1_000).toISOString();
}

/** Gives a running local service known data of one organisation: its events and then its orders, in the order of their ids. */
export async function integratorStage(description: ServiceDescription) {
  const organisation = description.organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const keyWith = (name: string) => organisation?.keys.find((key) => key.name === name)?.key ?? "";
  useLocalTable(description.dynamodb_endpoint, description.table_name);
  let changes = 0;
  const nextMs = () => Date.parse(acceptedAt(++changes));

  async function upsert(items: RecordItem[]): Promise<void> {
    const writes = items.map((item) => {
      const acceptedMs = nextMs();
      return () =>
        upsertRecord(
          tableAt(() => acceptedMs),
          item,
        );
    });
    for (let start = 0; start < writes.length; start += writesAtATime) {
      const write = (one: () => Promise<unknown>) => retryWhileUnavailable(one, backOff(AbortSignal.timeout(60_000)));
      await Promise.all(writes.slice(start, start + writesAtATime).map(write));
    }
  }
  const put = (...records: InputRecord[]) => upsert(records.map(recordItem));

  await put(...eventIds.map((id) => eventRecord(organisationId, id)));
  await put(...orderIds.map((id) => stageOrder(id)));
  return {
    baseUrl: description.base_url,
    apiKey: keyWith("All scopes"),
    readOnlyKey: keyWith("Read only"),
    put,
    remove: (...deletions: Deletion[]) => upsert(deletions.map(tombstone)),
    /** Lets readers see at once what the API has written to an item. */
    async age(key: ItemKey): Promise<void> {
      const { [changeTimeAttribute]: changeTime } = changeKey(key, nextMs());
      await updateItem(
        openTable(),
        { ...key },
        { update: `SET ${changeTimeAttribute} = :changeTime`, values: { ":changeTime": changeTime } },
      );
    },
    expiredCursor: () => expiredCursor(),
  };
}

export function stageOrder(id: number, reference = `ORDER${id}`): InputRecord {
  return orderRecord(organisationId, id, { event_id: 1, date_id: 1, reference });
}

/** A customer's purchase: an order for the third event, with two tickets and three payments. */
export function purchase(email: string): InputRecord[] {
  const order_id = 9_001;
  return [
    orderRecord(organisationId, order_id, { email, event_id: 3, reference: "K7P2QX" }),
    ...[1, 2].map((id) => ticketRecord(organisationId, 9_000 + id, { order_id })),
    ...[1, 2, 3].map((id) => paymentRecord(organisationId, 9_000 + id, { order_id })),
  ];
}

/** The cursor that a reader of all types got before deletions that are no longer shown. */
export async function expiredCursor(ofOrganisation = organisationId): Promise<string> {
  const thenMs = Date.now() - (deletionsShownDays + 1) * dayMs;
  const { pagination } = await changeRepository(
    ofOrganisation,
    tableAt(() => thenMs),
  ).list(ChangesQuery.parse({}));
  return pagination.resume_cursor;
}
