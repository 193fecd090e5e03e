import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { getDateSummary } from "../../functions/endpoints/getDateSummary.ts";
import { getEventSummary } from "../../functions/endpoints/getEventSummary.ts";
import { type RecordItem, recordItem } from "../../functions/records/recordItem.ts";
import { consumeRecords } from "../../functions/stream/tableStream.ts";
import { Summary } from "../../functions/summaries/summary.ts";
import { callTable, openTable } from "../../functions/table/table.ts";
import { dateRecord, eventRecord } from "../support/data/records.ts";
import { countedItem } from "../support/data/recount.ts";
import { putItems, streamRecord } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { invoke } from "../support/http/invoke.ts";
import { cases } from "../support/jest/cases.ts";

/** More than fit into one item of 400 KB. */
const categories = cases(8_000, 50_000);
const ticketsPerOrder = 200;
const firstId = 1_000_001;
/** DynamoDB's limit for one call. */
const maximumBatch = 25;
/** Lambda's limit ("Lambda quotas"). */
const maximumPayloadBytes = 6_291_456;

beforeAll(async () => {
  await useTestTable();
});

/** An order with a ticket in each of the next categories, and records of those in which a ticket admits two people. */
function itemsOf(order: number): RecordItem[] {
  const ids = Array.from({ length: ticketsPerOrder }, (_, index) => firstId + order * ticketsPerOrder + index);
  const parents = { event_id: 1, date_id: 2 };
  return [
    countedItem.order(1, order + 1, { ...parents, status: "paid", currency: "EUR" }),
    ...ids.map((id) => {
      const fields = { order_id: order + 1, ticket_category_id: id, price: id % 1_000, original_price: 1_000 };
      return countedItem.ticket(1, id, { ...parents, ...fields, status: "valid" });
    }),
    ...ids.filter((id) => id % 10 === 0).map((id) => countedItem.category(1, id, { event_id: 1, people: 2 })),
  ];
}

/** Puts new items faster than conditional writes. */
async function putAtOnce(items: RecordItem[]): Promise<void> {
  const table = openTable();
  for (let start = 0; start < items.length; start += maximumBatch) {
    const requests = items.slice(start, start + maximumBatch).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems } = await callTable(table, "BatchWriteItem", {
      RequestItems: { [table.name()]: requests },
    });
    assert.deepEqual(UnprocessedItems, {});
  }
}

test("a summary is exact, and fits into a response, when its event has sold in very many ticket categories", async () => {
  const parents = [eventRecord(1, 1, { currency: "EUR" }), dateRecord(1, 1, 2)].map(recordItem);
  await putItems(parents);
  for (let order = 0; order < categories / ticketsPerOrder; order++) {
    const items = itemsOf(order);
    await putAtOnce(items);
    const Records = items.map((item) => streamRecord(item));
    assert.deepEqual(await consumeRecords({ Records }, openTable()), { batchItemFailures: [] });
  }
  const ids = Array.from({ length: categories }, (_, index) => firstId + index);
  for (const [endpoint, id] of [
    [getEventSummary, "1"],
    [getDateSummary, "2"],
  ] as const) {
    const startMs = performance.now();
    const path = endpoint.path.replace("{id}", id);
    const response = await invoke(endpoint, { path, pathParameters: { id } });
    const takenMs = performance.now() - startMs;
    const { ticket_categories, has_more_ticket_categories, ...numbers } = Summary.parse(JSON.parse(response.body));
    const bytes = Buffer.byteLength(JSON.stringify(response));
    console.log(`${endpoint.operationId}: ${bytes} bytes in ${Math.round(takenMs)} ms.`);
    assert.ok(bytes <= maximumPayloadBytes);
    assert.equal(has_more_ticket_categories, undefined);
    assert.deepEqual(
      ticket_categories,
      ids.map((ticket_category_id) => ({
        ticket_category_id,
        tickets_sold: 1,
        people: ticket_category_id % 10 === 0 ? 2 : 1,
        gross: 1_000,
        sales_total: ticket_category_id % 1_000,
      })),
    );
    assert.deepEqual(
      [numbers.orders_count, numbers.tickets_sold, numbers.people, numbers.gross, numbers.sales_total],
      [
        categories / ticketsPerOrder,
        categories,
        categories + categories / 10,
        1_000 * categories,
        ids.reduce((sum, one) => sum + (one % 1_000), 0),
      ],
    );
  }
});
