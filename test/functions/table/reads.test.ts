import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { DynamoDBClient, ExecuteStatementCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, test } from "@jest/globals";
import { tickets } from "../../../functions/resources/ticket.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { declaredList } from "../../../functions/table/lists.ts";
import { getItems, readSmallLists } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord, ticketRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const endpoint = String(process.env.TEST_DYNAMODB_ENDPOINT);
const proxy = await useFaultyProxy();
beforeAll(async () => {
  await useTestTable();
  await putRecords([1, 2, 3, 4].map((id) => eventRecord(1, id)));
});

const eventKeys = [1, 2, 3, 4].map((id) => itemKeys.event(1, id));

/** The keys that each read of a batch asked for, and whether it was consistent. */
const batches = () =>
  proxy.calls
    .filter(({ action }) => action === "BatchGetItem")
    .map(({ input }) => {
      const { Keys, ConsistentRead } = JSON.parse(input).RequestItems[openTable().name()];
      return { keys: Keys.length, ConsistentRead };
    });

/** Answers without processing any key. */
function processNothing(input: string) {
  const UnprocessedKeys = JSON.parse(input).RequestItems;
  return JSON.stringify({ Responses: {}, UnprocessedKeys });
}

test("a batch is read consistently, and keys that DynamoDB did not process are read again", async () => {
  proxy.calls.length = 0;
  let unprocessed = 2;
  proxy.faultOf = ({ action, input }) =>
    action === "BatchGetItem" && unprocessed-- > 0
      ? (outgoing) => outgoing.writeHead(200).end(processNothing(input))
      : undefined;
  const items = await getItems(openTable(), eventKeys);
  assert.deepEqual(items.map(({ id }) => id).toSorted(), [1, 2, 3, 4]);
  assert.deepEqual(batches(), Array(3).fill({ keys: 4, ConsistentRead: true }));
});

test("a batch that stays unprocessed is unavailable after some tries", async () => {
  proxy.calls.length = 0;
  proxy.faultOf =
    ({ input }) =>
    (outgoing) =>
      outgoing.writeHead(200).end(processNothing(input));
  await assert.rejects(getItems(openTable(), eventKeys), { name: "Unavailable" });
  assert.equal(batches().length, 6);
});

test("more keys than a batch takes are read in several", async () => {
  proxy.calls.length = 0;
  const many = Array.from({ length: 205 }, (_, index) => itemKeys.event(1, index + 1));
  assert.equal((await getItems(openTable(), many)).length, 4);
  assert.deepEqual(
    batches().map((batch) => batch.keys),
    [100, 100, 5],
  );
});

describe("small lists", () => {
  const lists = [1, 2, 3].map((id) => declaredList(tickets, "ofOrder", 1, id));
  const read = () => readSmallLists(openTable(), lists, { attributes: ["id"] });
  const answer = (body: object) => (outgoing: ServerResponse) => void outgoing.writeHead(200).end(JSON.stringify(body));

  beforeAll(() => putRecords([5, 2, 1].map((id) => ticketRecord(1, id, { order_id: id === 5 ? 3 : 1 }))));
  beforeEach(() => {
    proxy.calls.length = 0;
  });

  test("are read by one statement, however many rows DynamoDB puts on its pages", async () => {
    const dynamoDb = new DynamoDBClient({ endpoint });
    proxy.faultOf =
      ({ input }) =>
      async (outgoing) => {
        const oneRow = new ExecuteStatementCommand({ ...JSON.parse(input), Limit: 1 });
        const { Items, NextToken } = await dynamoDb.send(oneRow);
        answer({ Items, NextToken })(outgoing);
      };
    const rows = await read();
    const ids = lists.map(({ partition }) => rows?.get(partition)?.map(({ id }) => id));
    assert.deepEqual(ids, [[1, 2], undefined, [5]]);
    assert.ok(proxy.calls.length >= 3);
    dynamoDb.destroy();
  });

  test.each([
    ["endless pages", 16, []],
    ["a large page before another", 1, [{ id: { S: "x".repeat(400_000) } }]],
  ])("are given up if the statement finds %s", async (_what, calls, Items) => {
    proxy.faultOf = () => answer({ Items, NextToken: "next" });
    assert.equal(await read(), undefined);
    assert.equal(proxy.calls.length, calls);
  });
});
