import type { ConsumedCapacity } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { type Clock, TableClock } from "./clock.ts";
import { toTableError } from "./errors.ts";

/** The DynamoDB calls that functions may be granted, and that commands make. `DeleteItem` is granted for deletions in transactions. */
export const tableActions = [
  "BatchGetItem",
  "BatchWriteItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "TransactWriteItems",
  "UpdateItem",
] as const;
export type TableAction = (typeof tableActions)[number];

/** Calls by action, and the capacity units that DynamoDB charged. */
export interface TableUsage {
  calls: Partial<Record<TableAction, number>>;
  capacityUnits: number;
}

/** The table for the duration of one request or job. */
export interface Table {
  name: () => string;
  usage: TableUsage;
  /** Whether `usage` counts capacity units, too. DynamoDB Local takes a quarter of a write's time to compute them. */
  countsUnits: boolean;
  clock: Clock;
}

/** The process's clock, which learns from every call. */
const processClock = new TableClock();

const Environment = z.object({ TABLE_NAME: z.string().min(1) });

/** The table that the environment names. Its calls are counted in `usage`. */
export function openTable(usage: TableUsage = { calls: {}, capacityUnits: 0 }, clock: Clock = processClock): Table {
  return { name: () => Environment.parse(process.env).TABLE_NAME, usage, countsUnits: true, clock };
}

/** The table for a job whose capacity units nobody reads. */
export function openUncountedTable(clock?: Clock): Table {
  return { ...openTable(undefined, clock), countsUnits: false };
}

/** Makes DynamoDB return the capacity that a call consumed, if the table counts it. */
export function countUnits({ countsUnits }: Table): { ReturnConsumedCapacity?: "TOTAL" } {
  return countsUnits ? { ReturnConsumedCapacity: "TOTAL" } : {};
}

/**
 * Makes one call to DynamoDB and counts it.
 * @throws ConditionFailed
 * @throws Problem `service_unavailable`
 */
export async function callTable<Output extends { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }>(
  { usage, clock }: Table,
  action: TableAction,
  send: () => Promise<Output>,
): Promise<Output> {
  usage.calls[action] = (usage.calls[action] ?? 0) + 1;
  const sentMs = clock.uptimeMs();
  try {
    const output = await send();
    clock.observe(dateOf(output), sentMs);
    usage.capacityUnits += capacityUnits(output.ConsumedCapacity);
    return output;
  } catch (error) {
    clock.observe(dateOf(error), sentMs);
    throw toTableError(error);
  }
}

/** The `Date` of the response that became an output or an error; undefined if there was none. */
function dateOf(answer: unknown): string | undefined {
  const { $metadata } = answer as { $metadata?: { date?: string } };
  return $metadata?.date;
}

function capacityUnits(consumed: ConsumedCapacity | ConsumedCapacity[] = []): number {
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
