import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { documentClient } from "../../functions/table/client.ts";
import type { Item } from "../../functions/table/item.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { toTableError } from "../../functions/table/tableErrors.ts";

export const Key = z.object({ PK: z.string(), SK: z.string() });

/** Segments read in parallel. Few, to leave throughput for the running service. */
const segments = 4;

/** Which items to read, and which attributes (by default all), in DynamoDB's expression language. */
export interface Wanted {
  filter?: string;
  values?: Record<string, unknown>;
  projection?: string;
  names?: Record<string, string>;
}

/** Waits between attempts, and the interruption of a long run. */
export interface Waiting {
  pause: Pause;
  signal: AbortSignal;
}

/**
 * Scans the whole table, several segments in parallel, and passes on pages of the wanted items. Each segment reads its next page after
 * `onPage` has finished.
 * @throws AbortError when the signal aborts.
 */
export async function scanInParallel(
  table: Table,
  wanted: Wanted,
  onPage: (items: Item[]) => Promise<void>,
  { pause, signal }: Waiting,
): Promise<void> {
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  const scanPart = async (_: unknown, segment: number) => {
    for await (const items of scanPages(table, wanted, { pause, segment })) {
      stop.throwIfAborted();
      await onPage(items);
    }
  };
  const parts = Array.from({ length: segments }, scanPart);
  try {
    await Promise.all(parts);
  } catch (error) {
    // Stop the other segments before the caller sees the failure.
    failure.abort();
    await Promise.allSettled(parts);
    throw error;
  }
}

/** Scans the whole table like {@link scanInParallel}, and passes on the wanted items of a page one after another. */
export async function scanItems(
  table: Table,
  wanted: Wanted,
  onItem: (item: Item) => Promise<unknown>,
  waiting: Waiting,
): Promise<void> {
  const onPage = async (items: Item[]) => {
    for (const item of items) await onItem(item);
  };
  await scanInParallel(table, wanted, onPage, waiting);
}

/** The wanted items, in DynamoDB's pages. Reads the whole table instead of an index, because an index can lag behind. Retries while throttled. */
export async function* scanPages(
  table: Table,
  wanted: Wanted,
  { pause, segment }: { pause: Pause; segment?: number },
): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const input = {
      TableName: table.name(),
      ConsistentRead: true,
      FilterExpression: wanted.filter,
      ProjectionExpression: wanted.projection,
      ExpressionAttributeNames: wanted.names,
      ExpressionAttributeValues: wanted.values,
      ExclusiveStartKey,
      ...(segment !== undefined && { Segment: segment, TotalSegments: segments }),
    };
    const scan = () => documentClient().send(new ScanCommand(input)).catch(rethrow);
    const { Items = [], LastEvaluatedKey } = await retryWhileUnavailable(scan, pause);
    yield Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

function rethrow(error: unknown): never {
  throw toTableError(error);
}
