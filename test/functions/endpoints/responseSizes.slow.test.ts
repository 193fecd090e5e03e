import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeEach, test } from "@jest/globals";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { getOrder } from "../../../functions/endpoints/getOrder.ts";
import { listChanges } from "../../../functions/endpoints/listChanges.ts";
import { listEvents } from "../../../functions/endpoints/listEvents.ts";
import { listOrderTickets } from "../../../functions/endpoints/listOrderTickets.ts";
import { updateOrder } from "../../../functions/endpoints/updateOrder.ts";
import { memoryMiB } from "../../../lib/shared/serviceFunction.ts";
import { pagesOf } from "../../support/data/pages.ts";
import { categoryRecord, dateRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { invoke, ofQuery } from "../../support/http/invoke.ts";
import { cases } from "../../support/jest/cases.ts";

/** Lambda's limit ("Lambda quotas"). */
const maximumPayloadBytes = 6_291_456;

beforeEach(() => useTestTable());

/** Characters that JSON writes as six, and those that it writes as two, which the payload makes four. */
const texts = { "control characters": "\u0001", "quotation marks": '"', "four-byte characters": "🎭" };

/** The response of an endpoint's function, which must fit. */
async function respond(endpoint: Endpoint, query: Record<string, string> = {}) {
  const response = await invoke(endpoint, ofQuery(query));
  assert.equal(response.statusCode, 200, response.body.slice(0, 500));
  assert.ok(Buffer.byteLength(JSON.stringify(response)) <= maximumPayloadBytes);
  return JSON.parse(response.body);
}

async function idsOf(endpoint: Endpoint) {
  const ids: number[] = [];
  const list = (cursor?: string) => respond(endpoint, { per_page: "1000", ...(cursor && { cursor }) });
  for await (const { data } of pagesOf(list)) ids.push(...data.map(({ id }: { id: number }) => id));
  return ids;
}

const ids = Array.from({ length: 6 }, (_, index) => index + 1);

for (const [name, character] of Object.entries(texts)) {
  const largest = character.repeat(395_000 / Buffer.byteLength(character));

  test(`pages of items near 400 KB of ${name} fit, and list every row`, async () => {
    const long = tableAt(() => Date.now() - 60_000);
    await putRecords(
      ids.map((id) => eventRecord(1, id, { description: largest, date_created: null })),
      long,
    );
    for (const endpoint of [listEvents, listChanges])
      assert.deepEqual((await idsOf(endpoint)).toSorted(), ids, endpoint.operationId);
  });

  test(`an order near 400 KB of ${name} contains the large tickets that fit, and its list has all`, async () => {
    await putRecords([orderRecord(1, 1, { source: largest.slice(0, largest.length * 0.9) })]);
    await putRecords(ids.map((id) => ticketRecord(1, id, { order_id: 1, seat: largest })));
    for (const endpoint of [getOrder, updateOrder]) {
      const { tickets, has_more_tickets } = await respond(endpoint);
      assert.equal(has_more_tickets, tickets.length < ids.length ? true : undefined);
      if (character === "\u0001") assert.equal(tickets.length, 0);
      assert.deepEqual(
        tickets.map(({ id }: { id: number }) => id),
        ids.slice(0, tickets.length),
      );
    }
    assert.deepEqual(await idsOf(listOrderTickets), ids);
  });
}

/** Many tickets that exceed 3 MB: 20,000 ordinary ones, or fewer that are larger. */
const many = cases({ count: 1_200, seatLength: 3_000, shown: 800 }, { count: 20_000, seatLength: 4, shown: 4_000 });

test("an order with many tickets contains those that fit, and its list has all", async () => {
  const { count, seatLength, shown } = many;
  await putRecords([orderRecord(1, 1)]);
  const fields = { order_id: 1, seat: "F".repeat(seatLength) };
  await putRecords(Array.from({ length: count }, (_, index) => ticketRecord(1, index + 1, fields)));
  const { tickets, has_more_tickets } = await respond(getOrder);
  assert.equal(has_more_tickets, true);
  assert.ok(tickets.length >= shown && tickets.length < count, String(tickets.length));
  assert.equal(new Set(await idsOf(listOrderTickets)).size, count);
});

test("pages of the largest rows and of the largest included resources stay within the function's memory", async () => {
  const long = tableAt(() => Date.now() - 60_000);
  const text = "\u0001".repeat(395_000);
  const [smallDates, largeEvents] = [72, cases(40, 100)];
  const days = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);
  await putRecords(
    [
      ...ids.flatMap((id) => [
        categoryRecord(1, 1, id, { description: text }),
        orderRecord(1, id, { source: text }),
        ticketRecord(1, id, { order_id: 1, seat: text }),
      ]),
      // The small ones come first, so that many of the large ones are read at once.
      ...days(smallDates, 1).map((id) => dateRecord(1, 1, id, { date: "2026-01-01T00:00:00Z" })),
      ...days(largeEvents, 1_000).flatMap((id) => [
        eventRecord(1, id, { description: text }),
        dateRecord(1, id, id, { date: "2026-02-01T00:00:00Z" }),
      ]),
    ],
    long,
  );
  for (const [operationId, query] of [
    ["listChanges", {}],
    ["listEvents", {}],
    ["listOrders", { expand: "tickets,event,date" }],
    ["listDates", { expand: "event" }],
  ] as const) {
    const { rows, hasMore, payloadBytes, memoryBytes } = await measuredPage(operationId, {
      ...query,
      per_page: "1000",
    });
    assert.ok(rows > 0 && hasMore, operationId);
    assert.ok(payloadBytes <= maximumPayloadBytes, `${operationId}: ${payloadBytes} bytes`);
    assert.ok(memoryBytes <= memoryMiB * 2 ** 20, `${operationId}: ${memoryBytes} bytes of memory`);
  }
});

async function measuredPage(operationId: string, query: object) {
  const script = new URL("support/printMemory.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, operationId, JSON.stringify(query)], {
    env: process.env,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
