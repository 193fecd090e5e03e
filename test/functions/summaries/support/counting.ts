import assert from "node:assert/strict";
import type { DynamoDBRecord } from "aws-lambda";
import type { RecordItem } from "../../../../functions/records/recordItem.ts";
import { consumeRecords } from "../../../../functions/stream/tableStream.ts";
import { summaryRepository } from "../../../../functions/summaries/summaryRepository.ts";
import { openTable } from "../../../../functions/table/table.ts";
import type { FaultyProxy } from "../../../support/data/faultyProxy.ts";
import { putItems, streamRecord } from "../../../support/data/table.ts";

export const summaries = () => summaryRepository(1, openTable());

const stored = new Map<string, RecordItem>();

/** Puts items and returns their stream records. */
export async function put(...items: RecordItem[]): Promise<DynamoDBRecord[]> {
  await putItems(items);
  return items.map((item) => {
    const key = `${process.env.TABLE_NAME} ${item.PK}`;
    const before = stored.get(key);
    stored.set(key, item);
    return streamRecord(item, before);
  });
}

export async function count(Records: DynamoDBRecord[]): Promise<void> {
  assert.deepEqual(await consumeRecords({ Records }, openTable()), { batchItemFailures: [] });
}

/** Counts records up to a call, which waits until it is released. By default it is the write. */
export async function countUpTo(
  proxy: FaultyProxy,
  records: DynamoDBRecord[],
  isHeld = (action: string): boolean => action === "TransactWriteItems",
) {
  const held = Promise.withResolvers<() => void>();
  proxy.faultOf = ({ action }) => {
    if (!isHeld(action)) return undefined;
    proxy.faultOf = () => undefined;
    return (_outgoing, forward) => held.resolve(forward);
  };
  const counted = count(records);
  return { release: await held.promise, counted };
}
