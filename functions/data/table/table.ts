import type { ConsumedCapacity } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { toTableError } from "./errors.ts";

/** What a function may do to the table, by the names of DynamoDB's calls. */
export type TableAction =
  | "BatchGetItem"
  | "BatchWriteItem"
  | "GetItem"
  | "PutItem"
  | "Query"
  | "TransactWriteItems"
  | "UpdateItem";

/** What was asked of the table: calls by action, and the capacity units that DynamoDB charged. */
export interface TableUsage {
  calls: Partial<Record<TableAction, number>>;
  capacityUnits: number;
}

/** The table, for the time of one request or job. */
export interface Table {
  name: () => string;
  usage: TableUsage;
}

const Environment = z.object({ TABLE_NAME: z.string().min(1) });

/** The table that the environment names, counting into `usage` what is asked of it. */
export function openTable(usage: TableUsage = { calls: {}, capacityUnits: 0 }): Table {
  return { name: () => Environment.parse(process.env).TABLE_NAME, usage };
}

/** Lets every answer tell what it cost. */
export const countUnits = { ReturnConsumedCapacity: "TOTAL" as const };

/**
 * One call to DynamoDB, counted.
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
