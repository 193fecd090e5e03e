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
  const { Item = {}, Items = [Item], ConsumedCapacity } = JSON.parse(answer);
  const bytes = itemBytes(Items);
  // A read that finds nothing costs as much as one of the smallest item.
  const blocks = Math.max(1, Math.ceil(bytes / bytesPerUnit));
  const leastUnits = blocks * (input.ConsistentRead ? 1 : 0.5);
  return { action: operation.split(".")[1] ?? "", input, units: ConsumedCapacity?.CapacityUnits ?? 0, leastUnits };
}
