import type { Attributes } from "../functions/data/dynamodb/attributeValue.ts";
import { startChild } from "./child.ts";
import { itemBytes } from "./itemBytes.ts";
import type { Exchange } from "./recordingProxy.ts";

/** One call to DynamoDB: what was asked and charged, and the least that reading its items has to cost. */
export interface RecordedCall {
  action: string;
  input: unknown;
  units: number;
  leastUnits: number;
}

interface BatchInput {
  RequestItems: Record<string, { Keys: Attributes[]; ConsistentRead: boolean }>;
}

const bytesPerUnit = 4_096;

/** Records what is asked of a DynamoDB, and answers repeated questions by itself. */
export async function startRecorder(endpoint: string) {
  const child = startChild<string | Exchange[]>("recordingProxy.ts", endpoint);
  const url = String(await child.answer());
  return {
    url,
    /** The calls since the last asking. */
    async calls(): Promise<RecordedCall[]> {
      child.send({});
      const exchanges = await child.answer();
      return Array.isArray(exchanges) ? exchanges.map(recordedCall) : [];
    },
    stop: child.stop,
  };
}

function recordedCall({ operation, request, answer }: Exchange): RecordedCall {
  const input = JSON.parse(request);
  const { Item = {}, Items = [Item], Responses, ConsumedCapacity = [] } = JSON.parse(answer);
  const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  const action = operation.split(".")[1] ?? "";
  return {
    action,
    input,
    units,
    leastUnits: Responses ? leastUnitsOfBatch(input, Responses) : leastUnitsOf(Items, input),
  };
}

/** A read that finds nothing costs as much as one of the smallest item. */
function leastUnitsOf(items: Attributes[], { ConsistentRead = false }): number {
  const blocks = Math.max(1, Math.ceil(itemBytes(items) / bytesPerUnit));
  return blocks * (ConsistentRead ? 1 : 0.5);
}

/** Each item of a batch is charged by itself. */
function leastUnitsOfBatch({ RequestItems }: BatchInput, responses: Record<string, Attributes[]>): number {
  return Object.entries(RequestItems).reduce((sum, [table, { Keys, ConsistentRead }]) => {
    const found = responses[table] ?? [];
    const missing = Keys.length - found.length;
    const units = found.map((item) => leastUnitsOf([item], { ConsistentRead }));
    return units.reduce((total, unit) => total + unit, sum + missing * leastUnitsOf([], { ConsistentRead }));
  }, 0);
}
