import type { ConsumedCapacity } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import type { Input, Operation, Output } from "#documentClient";
import { type Clock, TableClock } from "./clock.ts";
import { firstTry } from "./firstTry.ts";
import { toTableError } from "./tableErrors.ts";

const TableName = z.string().min(1);

/** The DynamoDB calls that functions may be granted, and that commands make. `DeleteItem` is granted for deletions in transactions, `ExecuteStatement` for reads. */
export type TableAction =
  | "BatchGetItem"
  | "BatchWriteItem"
  | "DeleteItem"
  | "ExecuteStatement"
  | "GetItem"
  | "PutItem"
  | "Query"
  | "TransactWriteItems"
  | "UpdateItem";

/** Calls by action, and the capacity units that DynamoDB charged. */
export interface TableUsage {
  calls: Partial<Record<TableAction, number>>;
  capacityUnits: number;
}

export interface Table {
  name: () => string;
  usage: TableUsage;
  /** Counts capacity units in `usage`. DynamoDB Local takes a quarter of a write's time to compute them. */
  countsUnits: boolean;
  clock: Clock;
}

/** The process's clock, which learns from every call. */
const processClock = new TableClock();

/** The table that the environment names. Its calls are counted in `usage`. */
export function openTable(usage: TableUsage = { calls: {}, capacityUnits: 0 }, clock: Clock = processClock): Table {
  return { name: () => TableName.parse(process.env.TABLE_NAME), usage, countsUnits: true, clock };
}

/** The table for a job whose capacity units nobody reads. */
export function openUncountedTable(clock?: Clock): Table {
  return { ...openTable(undefined, clock), countsUnits: false };
}

/** Makes one call to DynamoDB and counts it. @throws ConditionFailed, Unavailable */
export async function callTable<Name extends Operation>(
  { usage, clock, countsUnits }: Table,
  operation: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  usage.calls[operation] = (usage.calls[operation] ?? 0) + 1;
  const counted = countsUnits ? { ...input, ReturnConsumedCapacity: "TOTAL" as const } : input;
  const sentMs = clock.uptimeMs();
  try {
    const output = await makeCall(operation, counted, clock.nowMs());
    clock.observe(output.$metadata.date, sentMs);
    if (countsUnits)
      usage.capacityUnits += Math.max(capacityUnits(output.ConsumedCapacity), leastUnits(operation, input));
    return output;
  } catch (error) {
    clock.observe(dateOf(error), sentMs);
    throw toTableError(error);
  }
}

/** The document client makes three attempts of a batch. The first try of a read replaces one. */
const attemptsAfterFirst = 2;
/** A third could store a change time that readers have passed already (docs/decisions/0015-changes.md). */
const attemptsOfWrites = 2;
const reads = new Set<Operation>(["BatchGetItem", "ExecuteStatement", "GetItem", "Query"]);

async function makeCall<Name extends Operation>(operation: Name, input: Input<Name>, nowMs: number) {
  let attempts = reads.has(operation) ? undefined : attemptsOfWrites;
  if (operation === "GetItem" || operation === "Query" || operation === "ExecuteStatement") {
    try {
      const output = await firstTry(operation, input as Input<"GetItem" | "Query" | "ExecuteStatement">, nowMs);
      if (output) return output as Output<Name>;
    } catch {
      // The document client retries, and reports what fails again.
      attempts = attemptsAfterFirst;
    }
  }
  // Most requests only read, and need no SDK, which takes longer to load than everything else.
  const { send } = await import("#documentClient");
  return await send(operation, input, attempts);
}

/** The `Date` of the response that became an error; undefined if there was none. */
function dateOf(error: unknown): string | undefined {
  const { $response } = error as { $response?: { headers?: { date?: string } } };
  return $response?.headers?.date;
}

function capacityUnits(consumed: ConsumedCapacity | ConsumedCapacity[] = []): number {
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** DynamoDB charges for a query that finds nothing, but DynamoDB Local reports 0. For a statement, which is a query per parameter, it reports nothing. */
function leastUnits<Name extends Operation>(operation: Name, input: Input<Name>): number {
  if ("Parameters" in input) return 0.5 * (input.Parameters?.length ?? 0);
  if (operation !== "Query") return 0;
  return "ConsistentRead" in input && input.ConsistentRead ? 1 : 0.5;
}
