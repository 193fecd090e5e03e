import { type RecordedCall, startRecorder } from "./recorder.ts";
import { startFunction } from "./runningFunction.ts";
import type { Work } from "./worker.ts";

/** What one request asks of DynamoDB and answers. */
export async function recordRequest(work: Work, dynamoDbEndpoint: string) {
  const recorder = await startRecorder(dynamoDbEndpoint);
  const running = await startFunction(work, recorder.url);
  try {
    const { body } = await running.ask(1);
    const calls: RecordedCall[] = await recorder.calls();
    return { body, calls };
  } finally {
    await running.stop();
    await recorder.stop();
  }
}

/** The units that calls were charged. */
export function unitsOf(calls: readonly RecordedCall[]): number {
  return calls.reduce((sum, { units }) => sum + units, 0);
}
