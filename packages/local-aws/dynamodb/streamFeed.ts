import { setTimeout as wait } from "node:timers/promises";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from "@aws-sdk/client-dynamodb-streams";
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod";
import { log } from "../log.ts";

const idlePauseMs = 200;
const retryPauseMs = 100;
const failurePauseMs = 1_000;

/** The fields that the feed reads; the whole record is delivered. */
const StreamRecord = z.looseObject({
  dynamodb: z.looseObject({
    SequenceNumber: z.string(),
    Keys: z.object({ PK: z.object({ S: z.string() }), SK: z.object({ S: z.string() }) }),
  }),
});
type StreamRecord = z.infer<typeof StreamRecord>;

export type Consumer = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export interface Subscription {
  wants: (key: { PK: string; SK: string }) => boolean;
  consumer: Consumer;
}

/** As in the event source mapping, with Lambda's defaults. */
interface Delivery {
  batchSize?: number;
  /** Retries of failed records before the rest is given up. */
  maximumRetries?: number;
}

interface StreamFeed {
  /** Resolves when all records that were in the stream at the start have been delivered. */
  caughtUp: Promise<void>;
  stop: () => Promise<void>;
}

/** Replaces Lambda and the pipe: delivers the table's changes from the oldest in the stream. It keeps no position: consumers are idempotent. */
export function startStreamFeed(
  tableName: string,
  subscriptions: readonly Subscription[],
  delivery: Delivery = {},
): StreamFeed {
  const caughtUp = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      const client = new DynamoDBStreamsClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB });
      try {
        await follow(client, await streamOf(tableName), {
          ...delivery,
          subscriptions,
          signal,
          onIdle: caughtUp.resolve,
        });
      } catch (error) {
        // The position in the stream expires while a computer sleeps: start from the beginning.
        if (!signal.aborted) log.warn("Restarting from the beginning of the table's stream.", { error });
      } finally {
        client.destroy();
      }
      await pause(failurePauseMs, signal);
    }
  })();
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { caughtUp: caughtUp.promise, stop };
}

interface Follower extends Delivery {
  subscriptions: readonly Subscription[];
  signal: AbortSignal;
  onIdle: () => void;
}

/** Polls all shards in turn. Consumers do not depend on the order of shards. */
async function follow(client: DynamoDBStreamsClient, StreamArn: string, follower: Follower) {
  const { subscriptions, signal, onIdle, batchSize = 100 } = follower;
  const iterators = new Map<string, string | undefined>();
  while (!signal.aborted) {
    for (const ShardId of await shardsOf(client, StreamArn)) {
      if (iterators.has(ShardId)) continue;
      const input = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" as const };
      iterators.set(ShardId, (await client.send(new GetShardIteratorCommand(input))).ShardIterator);
    }
    let isIdle = false;
    while (!isIdle && !signal.aborted) {
      isIdle = true;
      for (const [shard, ShardIterator] of iterators) {
        if (ShardIterator === undefined) continue;
        const input = { ShardIterator, Limit: batchSize };
        const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand(input));
        iterators.set(shard, NextShardIterator);
        const news = z.array(StreamRecord).parse(Records);
        for (const { wants, consumer } of subscriptions) {
          const wanted = news.filter(({ dynamodb: { Keys } }) => wants({ PK: Keys.PK.S, SK: Keys.SK.S }));
          await deliver(wanted, consumer, follower);
        }
        if (Records.length > 0) isIdle = false;
      }
    }
    onIdle();
    await pause(idlePauseMs, signal);
  }
}

/** Delivers a batch, then retries from the first failed record until none fails or the retries run out. */
async function deliver(
  records: StreamRecord[],
  consumer: Consumer,
  { signal, maximumRetries = Number.POSITIVE_INFINITY }: Pick<Follower, "signal" | "maximumRetries">,
): Promise<void> {
  let left = records;
  for (let tries = 0; left.length > 0 && !signal.aborted; tries++) {
    if (tries > maximumRetries) {
      log.error("Gave up on records of the table's stream.", { keys: left.map(({ dynamodb }) => dynamodb.Keys) });
      return;
    }
    if (tries > 0) await pause(retryPauseMs * tries, signal);
    left = await failedOf(left, consumer);
  }
}

async function failedOf(records: StreamRecord[], consumer: Consumer): Promise<StreamRecord[]> {
  try {
    const { batchItemFailures } = await consumer({ Records: records });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    return first === -1 ? [] : records.slice(first);
  } catch (error) {
    log.error("The consumer of the table's stream failed.", { error });
    return records;
  }
}

async function streamOf(TableName: string): Promise<string> {
  const client = new DynamoDBClient();
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (!Table?.LatestStreamArn) throw new Error(`The table ${TableName} has no stream.`);
    return Table.LatestStreamArn;
  } finally {
    client.destroy();
  }
}

async function shardsOf(client: DynamoDBStreamsClient, StreamArn: string): Promise<string[]> {
  const ids: string[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const input = { StreamArn, ExclusiveStartShardId };
    const { StreamDescription } = await client.send(new DescribeStreamCommand(input));
    ids.push(...(StreamDescription?.Shards ?? []).flatMap(({ ShardId = [] }) => ShardId));
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId !== undefined);
  return ids;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
