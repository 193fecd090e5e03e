import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes, toAttributes } from "../../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../../functions/data/dynamodb/client.ts";
import { toTableError } from "../../functions/data/table/errors.ts";
import type { Item } from "../../functions/data/table/item.ts";
import type { Table } from "../../functions/data/table/table.ts";
import type { Pause } from "../../functions/ingest/untilTaken.ts";
import { untilAnswered } from "./untilAnswered.ts";

/** Parts of the table that are read at a time. They are few, so that whoever is served meanwhile finds the table's throughput left. */
const segments = 4;

/** Which items are wanted, and what of them, in DynamoDB's own expression language. All attributes, where no projection says less. */
export interface Wanted {
  filter: string;
  values: Record<string, unknown>;
  projection?: string;
  names?: Record<string, string>;
}

/** What a part of a scan is told besides. */
interface Part {
  segment: number;
  pause: Pause;
}

/**
 * The items of the table whose partition key begins so, by pages of what DynamoDB reads at a time. No index is asked, so none
 * can be behind; all of the table is read, whatever the prefix.
 */
export function scanTable(table: Table, prefix: string): AsyncGenerator<Item[]> {
  return scanPages(table, { filter: "begins_with(PK, :prefix)", values: { ":prefix": prefix } });
}

/**
 * Reads all of the table, several parts of it at a time, and hands on the pages of what is wanted. Of each part the next page is read
 * when the one before is dealt with. Throttling is waited for.
 *
 * @throws AbortError where the signal says so.
 */
export async function scanInParallel(
  table: Table,
  wanted: Wanted,
  onPage: (items: Item[]) => Promise<void>,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
): Promise<void> {
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  const scanPart = async (_: unknown, segment: number) => {
    for await (const items of scanPages(table, wanted, { segment, pause })) {
      stop.throwIfAborted();
      await onPage(items);
    }
  };
  const parts = Array.from({ length: segments }, scanPart);
  try {
    await Promise.all(parts);
  } catch (error) {
    // None goes on behind the back of who is told of the failure.
    failure.abort();
    await Promise.allSettled(parts);
    throw error;
  }
}

async function* scanPages(table: Table, wanted: Wanted, part?: Part): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const input = {
      TableName: table.name(),
      ConsistentRead: true,
      FilterExpression: wanted.filter,
      ProjectionExpression: wanted.projection,
      ExpressionAttributeNames: wanted.names,
      ExpressionAttributeValues: toAttributes(wanted.values),
      ExclusiveStartKey,
      ...(part && { Segment: part.segment, TotalSegments: segments }),
    };
    const scan = () => dynamoDb().send(new ScanCommand(input));
    const { Items = [], LastEvaluatedKey } = await (part
      ? untilAnswered(() => scan().catch(rethrow), part.pause)
      : scan());
    yield Items.map(fromAttributes);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

function rethrow(error: unknown): never {
  throw toTableError(error);
}
