import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem, resourceOf, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { resources } from "../../../functions/resources/index.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import type { ResourceType } from "../../../functions/resources/resource.ts";
import { streamedSortKeys } from "../../../functions/stream/streamLimits.ts";
import { consumeRecords } from "../../../functions/stream/tableStream.ts";
import { summaryRepository } from "../../../functions/summaries/summaryRepository.ts";
import { isTombstone } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable, openUncountedTable, type Table } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { deliverWebhook } from "../../../functions/webhooks/deliverWebhook.ts";
import type { Sender } from "../../../functions/webhooks/sendMessage.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { startStreamFeed } from "../../../packages/local-aws/dynamodb/streamFeed.ts";
import { anyRecord, someone } from "../../support/data/records.ts";
import { recount } from "../../support/data/recount.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { deleteItems, dumpItems, tableAt } from "../../support/data/table.ts";
import { deleteTestTables, useTestTable } from "../../support/data/testTable.ts";
import { until } from "../../support/service/until.ts";
import { assertSameRows, marker, mirrorOf, putMarker, type Row, sortedRows } from "../../support/sync/mirror.ts";
import { mac } from "../../support/webhooks/repositories.ts";

/*
 * A table, a copy of it as the source of a repair, and what happened since: a bug damaged records for an hour, and then everybody went on.
 */

const hourMs = 60 * 60 * 1_000;
const nowMs = Date.now();
const at = (hoursAgo: number) => tableAt(() => nowMs - hoursAgo * hourMs);
const parents = { event_id: 1, date_id: 1, order_id: 1, ticket_category_id: 1, ticket_id: 1 };

interface Sent {
  id: number;
  version: number;
  /** Undefined for a deletion. */
  text?: string;
}

/** Stores records of all types with this id as the feed does. @returns the result, which all of them have. */
export async function send({ id, version, text }: Sent, organisation_id = 1, table: Table = openTable()) {
  const results = recordTypes.map((type) => {
    const item =
      text === undefined
        ? tombstone({ type, organisation_id, id, deleted: true, version })
        : recordItem({ ...anyRecord(type, organisation_id, id, text, parents), version });
    return upsertRecord(table, item);
  });
  const [result] = await Promise.all(results);
  return result;
}

const ids = Array.from({ length: 10 }, (_, index) => index + 1);
const damage: Sent[] = [
  ...[1, 2, 3].map((id) => ({ id, version: 7 })),
  ...[4, 5, 6, 90].map((id) => ({ id, version: 9, text: "damaged" })),
];
const lost = 7;
const since: Sent[] = [
  { id: 5, version: 10, text: "since" },
  { id: 8, version: 2, text: "since" },
  { id: 9, version: 3 },
  { id: 50, version: 1, text: "since" },
];
/** The ids that a repair changes. */
export const damagedIds = [1, 2, 3, 4, 6, lost, 90];

export const deleteNew = "--delete-new";
/** The options that name the window of the damage. */
export const windowOf = ({ from, to }: Pick<Accident, "from" | "to">) => [
  ...["--replace", "--changed-from", from],
  ...["--changed-to", to],
];

export type Accident = Awaited<ReturnType<typeof accident>>;

/** Makes such a table for an organisation, and points this process's functions at it. */
export async function accident(organisationId: number) {
  const { endpoint, tableName } = await useTestTable({ hasStream: true });
  const queues = await startLocalQueues();
  useLocalQueues(queues);
  const live = { ...openUncountedTable(), name: () => tableName };
  const wants = ({ SK }: { SK: string }) => streamedSortKeys.includes(SK);
  const stream = startStreamFeed(tableName, [{ wants, consumer: (event) => consumeRecords(event, live) }]);
  const note = (id: number, table = openTable()) => orderNoteRepository(organisationId, table).set(id, "Wheelchair");
  const pay = (table = openTable()) =>
    balanceRepository(organisationId, table).record(
      10,
      { type: "payment", amount: 40 },
      { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined },
    );
  const reader = readerOf(organisationId);
  const webhook = await reader.createWebhook(at(7));
  for (const id of ids) await send({ id, version: 1, text: "before" }, organisationId, at(6));
  await note(2, at(5.9));
  await pay(at(5.8));
  const keys = apiKeyRepository(organisationId, openTable());
  const { key, stored } = await keys.create("Nightly sync", [], someone);
  const source = await copyOf(tableName, endpoint);

  for (const one of damage) await send(one, organisationId, at(3.5));
  const isLost = ({ PK, SK }: Record<string, unknown>) => String(PK).endsWith(`#${lost}`) && resourceOf(String(SK));
  await deleteItems((await dumpItems()).filter(isLost));
  for (const one of since) await send(one, organisationId, at(2));
  await keys.revoke(stored.id, someone);
  await webhookRepository(organisationId, openTable(), reader.sender).rotateSecret(webhook.id, someone);
  await pay(at(1));
  await note(10, at(1));

  return {
    endpoint,
    source,
    from: new Date(nowMs - 4 * hourMs).toISOString(),
    to: new Date(nowMs - 3 * hourMs).toISOString(),
    revokedKey: key,
    webhookKey: itemKeys.webhook(organisationId, webhook.id),
    note,
    follow: reader.follow,
    assertRepaired: (newer: Sent[] = []) => assertRepaired(organisationId, reader, newer),
    async stop() {
      await Promise.all([stream.stop(), queues.stop()]);
      await deleteTestTables();
    },
  };
}

/** All readers see what was before the damage, and everything since. @param newer what the core system sent during the repair. */
async function assertRepaired(
  organisationId: number,
  reader: ReturnType<typeof readerOf>,
  newer: Sent[],
): Promise<void> {
  const sent = new Map<number, string | undefined>(ids.map((id) => [id, "before"]));
  for (const { id, text } of [...since, ...newer]) sent.set(id, text);
  const rows = await reader.getAll();
  const expected = [...sent].flatMap(([id, text]) =>
    text === undefined ? [] : recordTypes.map((type) => anyRecord(type, organisationId, id, text, parents).data),
  );
  const isRecord = ({ type }: Row) => type !== "balance_payment";
  const withoutNote = (data: object) => JSON.stringify({ ...data, admin_note: "", date_modified: "" });
  const textsOf = (some: object[]) => some.map(withoutNote).sort();
  assert.deepEqual(textsOf(rows.filter(isRecord).map(({ data }) => data)), textsOf(expected));
  assert.equal(rows.filter((row) => !isRecord(row)).length, 2);
  assert.equal(rows.find(({ type, id }) => type === "order" && id === 10)?.data.admin_note, "Wheelchair");
  await reader.follow();
  assertSameRows(sortedRows(reader.mirror.values()), rows);
  assertSameRows(sortedRows(reader.received.values()), rows);
  const summaries = summaryRepository(organisationId, openTable());
  await until(async () => {
    const summed = [
      await summaries.getEventSummary(1),
      await summaries.getEventSummary(10),
      await summaries.getDateSummary(1),
    ];
    const items = await dumpItems();
    const counted = [recount(items, 1, null), recount(items, 10, null), recount(items, 1, 1)];
    return summed.every(({ date_generated: _, ...one }, index) => isDeepStrictEqual(one, counted[index]));
  });
}

/** Copies a table, or an organisation's part of it, as DynamoDB restores one: without a stream. @returns the copy's name. */
export async function copyOf(tableName: string, endpoint: string, partition = ""): Promise<string> {
  const items = (await dumpItems()).filter(({ PK }) => String(PK).startsWith(partition));
  const copy = (await useTestTable()).tableName;
  for (const item of items) await putItem(openTable(), item);
  useLocalTable(endpoint, tableName);
  return copy;
}

/** Reads a resource as GET returns it, an order without its tickets. */
function rowReader(organisationId: number) {
  const get = async (type: ResourceType, id: number) => {
    const repository = repositoryOf(resources[type] as (typeof resources)["event"])(organisationId, openTable());
    const { tickets: _, ...data }: object & { tickets?: unknown } = await repository.get(id);
    return data;
  };
  const rowOf = async ({
    type,
    id,
    event_id,
  }: {
    type: ResourceType;
    id: number;
    event_id?: number | null | undefined;
  }) => ({ type, id, ...(type === "ticket_category" && { event_id }), data: await get(type, id) }) as Row;
  return rowOf;
}

/** A mirror that follows the changes, and a webhook's receiver that reads what changed. */
function readerOf(organisationId: number) {
  const rowOf = rowReader(organisationId);
  let markers = 0;
  let isLater = false;
  /** At the second reading, shows changes that were accepted just now. */
  const later = tableAt(() => Date.now() + (isLater ? 60_000 : 0));
  const mirror = mirrorOf(async function* (cursor) {
    let page: Awaited<ReturnType<ReturnType<typeof changeRepository>["list"]>>;
    do {
      page = await changeRepository(organisationId, later).list(ChangesQuery.parse({ cursor }));
      cursor = page.pagination.resume_cursor;
      yield { changes: page.data, resumeCursor: cursor };
    } while (page.pagination.has_more);
  });
  const received = new Map<string, Row>();
  let messages = 0;
  const sender: Sender = {
    mac,
    async post(_url, _headers, body) {
      messages += 1;
      for (const { type, id, change, event_id } of JSON.parse(body).data.changes) {
        if (change === "deleted") received.delete(`${type} ${id}`);
        else received.set(`${type} ${id}`, await rowOf({ type, id, event_id }));
      }
      return { status: 204, durationMs: 3, error: null, isSent: true, response: "", retryAfterMs: null };
    },
  };
  let webhookId = "";
  return {
    sender,
    mirror: mirror.rows,
    received,
    async createWebhook(table: Table) {
      const { webhook } = await webhookRepository(organisationId, table, sender).create(
        { url: "https://203.0.114.7/hook" },
        someone,
      );
      webhookId = webhook.id;
      return webhook;
    },
    /** Reads all changes so far: first those of the accident, then those of its repair. */
    async follow(): Promise<void> {
      isLater = markers > 0;
      const last = marker(markers++);
      await putMarker(organisationId, last, isLater ? openTable() : at(0.5));
      await mirror.follow(last);
      for (let before = -1; before < messages; ) {
        before = messages;
        await deliverWebhook(later, { organisation_id: organisationId, id: webhookId }, { sender, baseUrl: "" });
      }
    },
    /** Every resource, as GET returns it. */
    async getAll(): Promise<Row[]> {
      const found = (await dumpItems()).flatMap((item) => {
        const type = resourceOf(String(item.SK))?.type;
        return type && !isTombstone(item) ? [{ type, id: Number(item.id), event_id: Number(item.event_id) }] : [];
      });
      return sortedRows(await Promise.all(found.map(rowOf)));
    },
  };
}
