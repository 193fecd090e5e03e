import type { ConsumedCapacity } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { toTableError } from "./errors.ts";

/** The DynamoDB calls that functions may be granted, and that commands make. */
export const tableActions = [
  "BatchGetItem",
  "BatchWriteItem",
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
}

const Environment = z.object({ TABLE_NAME: z.string().min(1) });

/** The table that the environment names. Its calls are counted in `usage`. */
export function openTable(usage: TableUsage = { calls: {}, capacityUnits: 0 }): Table {
  return { name: () => Environment.parse(process.env).TABLE_NAME, usage };
}

/** Makes DynamoDB return the capacity that a call consumed. */
export const countUnits = { ReturnConsumedCapacity: "TOTAL" as const };

/**
 * Makes one call to DynamoDB and counts it.
 * @throws ConditionFailed
 * @throws Problem `service_unavailable`
 */
export async function callTable<Output extends { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }>(
  { usage }: Table,
  action: TableAction,
  send: () => Promise<Output>,
): Promise<Output> {
  usage.calls[action] = (usage.calls[action] ?? 0) + 1;
  try {
    const output = await send();
    usage.capacityUnits += capacityUnits(output.ConsumedCapacity);
    return output;
  } catch (error) {
    throw toTableError(error);
  }
}

function capacityUnits(consumed: ConsumedCapacity | ConsumedCapacity[] = []): number {
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
