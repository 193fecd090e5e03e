import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "@jest/globals";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { listOrders } from "../../functions/endpoints/listOrders.ts";
import { tombstone } from "../../functions/records/recordItem.ts";
import { organisationPrefix } from "../../functions/table/itemKeys.ts";
import { openTable } from "../../functions/table/table.ts";
import { copyOf } from "../cli/support/accident.ts";
import { atTable, runProgram } from "../cli/support/runProgram.ts";
import { orderRecord } from "../support/data/records.ts";
import { putItems, putRecords } from "../support/data/table.ts";
import { withId } from "../support/http/examples.ts";
import { listen } from "../support/http/listen.ts";
import { ownOrganisation } from "../support/service/ownOrganisation.ts";
import { baseUrl, type Caller, localService } from "../support/service/testedService.ts";
import { until } from "../support/service/until.ts";
import { followGuide, languages } from "./guideExamples.ts";
import { mirrorFormats } from "./mirrors.ts";

/** A receiver of messages about orders, which reads each changed one. @returns its URL and the orders that it has. */
async function orderReceiver({ json: read }: Caller) {
  const orders = new Map<number, unknown>();
  const receiver = createServer(async (incoming, outgoing) => {
    const { data } = (await json(incoming)) as { data: { changes: { id: number; change: string }[] } };
    for (const { id, change } of data.changes) {
      if (change === "deleted") orders.delete(id);
      else orders.set(id, await read(withId(getOrder, id)));
    }
    outgoing.writeHead(204).end();
  });
  return { url: await listen(receiver), orders: () => [...orders.values()] as { id: number }[] };
}

/** Orders by id, as text, without their tickets, which lists and changes omit. */
function comparable(orders: object[]): string[] {
  const textOf = ({ tickets: _, ...order }: { tickets?: unknown }) => JSON.stringify(order);
  return orders.map(textOf).sort();
}

test("what a repair corrects reaches GET, readers' cursors, the guide's mirrors and a webhook's receiver", async () => {
  const { admin, writer } = await ownOrganisation("repair");
  const { organisationId } = writer;
  const endpoint = String(localService?.description.dynamodb_endpoint);
  // For the copy, which is a table of the service's own database.
  process.env.TEST_DYNAMODB_ENDPOINT = endpoint;
  const receiver = await orderReceiver(writer);
  const webhook = await admin.call(createWebhook, createWebhook.path, {
    body: JSON.stringify({ url: receiver.url, types: ["order"] }),
  });
  assert.equal(webhook.status, 201);
  const variables = { BASE_URL: baseUrl, API_KEY: writer.credential };
  const mirrors = await Promise.all(
    languages.map(async (language) => {
      const { directory, run } = await followGuide("incremental-sync", language, variables);
      return { run, rows: () => mirrorFormats[language].rows(directory) };
    }),
  );
  const send = (id: number, reference: string, version: number) =>
    putRecords([{ ...orderRecord(organisationId, id, { reference }), version }]);
  const get = async () => comparable(await writer.rows(listOrders.path));
  /** Waits until all readers have the orders that GET returns. */
  const followed = () =>
    until(async () => {
      await Promise.all(mirrors.map(({ run }) => run()));
      const copies = await Promise.all(mirrors.map(({ rows }) => rows()));
      const orders = copies.map((rows) => rows.filter(({ type }) => type === "order").map(({ data }) => data));
      const expected = await get();
      return [...orders, receiver.orders()].every((copy) => comparable(copy).join() === expected.join());
    });

  for (const id of [1, 2, 3]) await send(id, "BEFORE", 1);
  await followed();
  const before = await get();
  const source = await copyOf(openTable().name(), endpoint, organisationPrefix(organisationId));
  const from = new Date().toISOString();
  await putItems([tombstone({ type: "order", organisation_id: organisationId, id: 1, deleted: true, version: 9 })]);
  await send(2, "DAMAGED", 9);
  await send(90, "DAMAGED", 9);
  await followed();
  const to = new Date().toISOString();
  await send(3, "SINCE", 2);
  await followed();
  assert.equal((await writer.get("/v1/orders/1")).status, 404);

  const window = ["--replace", "--delete-new", "--changed-from", from, "--changed-to", to];
  const options = ["--organisation", String(organisationId), "--actor", "Grace", "--from-table", source, ...window];
  const { code, stderr } = await runProgram("organisation restore", [...options, ...atTable()]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal((await writer.get("/v1/orders/1")).status, 200);
  const repaired = await get();
  assert.deepEqual(repaired.slice(0, 2), before.slice(0, 2));
  assert.deepEqual([repaired.length, JSON.parse(repaired[2] ?? "").reference], [3, "SINCE"]);
  await followed();
});
