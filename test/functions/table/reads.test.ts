import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItems } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

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
