/*
 * Records what a release writes and answers, for test/released/released.test.ts. Run it once, in a checkout of the release, and commit the file:
 *
 *   POWERTOOLS_LOG_LEVEL=SILENT node test/released/record.ts 1.3 > test/released/1.3.json
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Endpoint } from "../../functions/api/endpoint.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { createTable } from "../../local/createTable.ts";
import { useLocalTable } from "../../local/localService.ts";
import { startDynamoDbLocal } from "../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import { fill } from "../cli/support/organisationContents.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../support/data/records.ts";
import { dumpItems, putRecords } from "../support/data/table.ts";
import { invoke, ofQuery } from "../support/http/invoke.ts";

/** Every list of the first event, date and order has several rows; some fields are null, empty or unusual. */
const records = [
  eventRecord(1, 1, { description: null, date_created: "2025-09-01T02:00:00+02:00" }),
  eventRecord(1, 3, { name: 'Søren\'s "Fête" 🎭', date_created: null }),
  ...[1, 2, 3].map((id) => dateRecord(1, 1, id, { date: `2026-03-0${4 - id}` })),
  ...[1, 2, 3].map((id) => categoryRecord(1, 1, id, { sort_index: -id })),
  orderRecord(1, 1, { event_id: 1, date_id: 1 }),
  ...[2, 3].map((id) => orderRecord(1, id, { event_id: 1, date_id: 1, reference: id === 2 ? "" : "K7P2QX" })),
  ...[1, 2, 3].map((id) => ticketRecord(1, id, { order_id: 1, date_id: 1, ...(id === 3 && { barcode: null }) })),
  ...[1, 2, 3].map((id) => paymentRecord(1, id, { event_id: 1, order_id: id === 3 ? null : 1 })),
  ...[1, 2, 3].map((id) => discountRecord(1, id, { event_id: 1, code: id === 1 ? null : `CODE${id}` })),
  ...[1, 2, 3].map((id) => attendeeRecord(1, id, { date_id: 1, ...(id === 2 && { answers: [] }) })),
];

const requiredQueries: Record<string, Record<string, string>> = {
  listTickets: { barcode: "7331050090219" },
  listAttendees: { email: "ada@example.org" },
};

async function respond(endpoint: Endpoint, id: string, query: Record<string, string>) {
  const path = endpoint.path.replace("{id}", id);
  const changes = { path, pathParameters: { id }, ...ofQuery(query) };
  const { statusCode, headers, body } = await invoke(endpoint, changes);
  const { operationId } = endpoint;
  return { operationId, id, query, status: statusCode, etag: headers?.ETag, body: JSON.parse(body) };
}

const database = await startDynamoDbLocal();
useLocalTable(database.endpoint, "released");
await createTable("released");
const secret = await fill(1);
await putRecords(records);
// Changes are shown after some seconds.
await wait(12_000);
const recordedAt = new Date().toISOString();
const items = await dumpItems();
const idsIn = (partition: string) => items.filter(({ PK }) => PK === `ORG#1#${partition}`).map(({ SK }) => String(SK));
const idsOf = (path: string) => {
  if (!path.includes("{id}")) return [""];
  if (!path.startsWith("/admin/")) return ["1", "3"];
  return idsIn(path.startsWith("/admin/webhooks/") ? "WEBHOOKS" : "APIKEYS");
};
const requests = [];
for (const endpoint of endpoints.filter(({ method }) => method === "GET")) {
  for (const id of idsOf(endpoint.path)) {
    const query = requiredQueries[endpoint.operationId] ?? {};
    requests.push(await respond(endpoint, id, query));
    if (!endpoint.query || !("cursor" in endpoint.query.shape)) continue;
    const first = await respond(endpoint, id, { ...query, per_page: "2" });
    requests.push(first);
    const cursor = first.body.pagination?.next_cursor;
    if (cursor) requests.push(await respond(endpoint, id, { ...query, per_page: "2", cursor }));
  }
}
await database.stop();
const recording = { release: process.argv[2], recordedAt, secret, records, items, requests };
// One line for each record, item and request. Texts never contain an unescaped quotation mark.
process.stdout.write(`${JSON.stringify(recording).replaceAll('},{"', '},\n{"')}\n`);
process.exit();
