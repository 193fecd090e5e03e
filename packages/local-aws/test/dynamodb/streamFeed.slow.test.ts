import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import type { DynamoDBStreamEvent } from "aws-lambda";
import { recordItem } from "../../../../functions/records/recordItem.ts";
import { handler } from "../../../../functions/stream/tableStream.ts";
import { countedSortKeys } from "../../../../functions/summaries/countedItem.ts";
import { summaryRepository } from "../../../../functions/summaries/summaryRepository.ts";
import { openTable } from "../../../../functions/table/table.ts";
import { putItem } from "../../../../functions/table/writes.ts";
import { eventRecord } from "../../../../test/support/data/records.ts";
import { countedItem } from "../../../../test/support/data/recount.ts";
import { useTestTable } from "../../../../test/support/data/testTable.ts";
import { type Consumer, startStreamFeed } from "../../dynamodb/streamFeed.ts";

let tableName = "";
beforeEach(async () => {
  ({ tableName } = await useTestTable({ hasStream: true }));
});

const numbersOf = ({ Records }: DynamoDBStreamEvent) => Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? "");

/** Feeds a consumer until it has received everything in the stream. */
async function feedTo(consumer: Consumer): Promise<void> {
  const feed = startStreamFeed(tableName, [{ wants: ({ SK }) => countedSortKeys.includes(SK), consumer }]);
  await feed.caughtUp;
  await feed.stop();
}

const putTickets = async (count: number) => {
  for (let id = 1; id <= count; id++) await putItem(openTable(), countedItem.ticket(1, id, {}));
};

test("summaries are correct after the whole stream is delivered, and after it is delivered again", async () => {
  await putItem(openTable(), recordItem(eventRecord(1, 1)));
  await putItem(openTable(), countedItem.order(1, 3, { status: "paid" }));
  await putTickets(120);
  await putItem(openTable(), countedItem.ticket(1, 7, { status: "void" }));
  for (let turn = 0; turn < 2; turn++) {
    await feedTo(handler);
    assert.equal((await summaryRepository(1, openTable()).getEventSummary(1)).tickets_sold, 119);
  }
});

test("a change during the run is delivered by itself", async () => {
  const delivered = Promise.withResolvers<DynamoDBStreamEvent>();
  const consumer: Consumer = async (event) => {
    delivered.resolve(event);
    return { batchItemFailures: [] };
  };
  const feed = startStreamFeed(tableName, [{ wants: ({ SK }) => countedSortKeys.includes(SK), consumer }]);
  await feed.caughtUp;
  await putTickets(1);
  assert.deepEqual((await delivered.promise).Records[0]?.dynamodb?.Keys, {
    PK: { S: "ORG#1#TICKET#1" },
    SK: { S: "TICKET" },
  });
  await feed.stop();
});

test("a batch is delivered again from its first failed record, and completely if all of it fails", async () => {
  await putTickets(3);
  const deliveries: string[][] = [];
  await feedTo(async (event) => {
    deliveries.push(numbersOf(event));
    if (deliveries.length === 1) throw new Error("Out of order.");
    return { batchItemFailures: deliveries.length === 2 ? [{ itemIdentifier: numbersOf(event)[1] ?? "" }] : [] };
  });
  const [all = []] = deliveries;
  assert.equal(all.length, 3);
  assert.deepEqual(deliveries, [all, all, all.slice(1)]);
});

test("records that no filter selects are not delivered", async () => {
  await putItem(openTable(), recordItem(eventRecord(1, 1)));
  const deliveries: string[][] = [];
  await feedTo(async (event) => {
    deliveries.push(numbersOf(event));
    return { batchItemFailures: [] };
  });
  assert.deepEqual(deliveries, []);
});
