import { setTimeout as wait } from "node:timers/promises";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient, ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { UsageError } from "@ticketing/local-aws/usage-error";
import { consumerTimeoutMs } from "../../functions/stream/streamLimits.ts";
import type { Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";

/** Lambda takes seconds to start or stop reading a stream. */
const pollMs = 1_000;

/**
 * Does some work while Lambda passes no records of the table's stream to functions. The stream then continues from where it was paused.
 * @param runningMs how long a function may still run when Lambda has stopped.
 * @throws UsageError if Lambda cannot be stopped.
 */
export async function whileStreamPaused(
  table: Table,
  work: () => Promise<void>,
  signal: AbortSignal,
  runningMs = consumerTimeoutMs,
): Promise<void> {
  const lambda = new LambdaClient({});
  const readMappings = async (EventSourceArn: string) =>
    (await lambda.send(new ListEventSourceMappingsCommand({ EventSourceArn }))).EventSourceMappings ?? [];
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: table.name() }));
  const stream = Table?.LatestStreamArn;
  const mappings = stream === undefined ? [] : await readMappings(stream).catch(cannotPause);
  if (stream === undefined || mappings.length === 0) return work();
  const setEnabled = async (Enabled: boolean) => {
    for (const { UUID } of mappings) await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  };
  const until = async (isReached: (state: string) => boolean) => {
    while (!(await readMappings(stream)).every(({ State = "" }) => isReached(State))) await wait(pollMs);
  };
  await setEnabled(false).catch(cannotPause);
  try {
    await until((state) => state === "Disabled");
    await wait(runningMs, undefined, { signal });
    await work();
  } finally {
    // Lambda refuses a change while it makes another.
    await until((state) => !state.endsWith("ing"));
    await setEnabled(true);
  }
}

function cannotPause(error: unknown): never {
  throw new UsageError(`Cannot pause the function that reads the table's stream: ${describeError(error)}.`, {
    cause: error,
  });
}
