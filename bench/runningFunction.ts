import { startChild } from "./child.ts";
import type { Round, Work } from "./worker.ts";

export interface RunningFunction {
  /** Makes this many requests, one after another. @throws Error where the last was not answered with 200. */
  ask: (requests: number) => Promise<Round>;
  stop: () => Promise<void>;
}

/** Starts a function, and its authorizer, in a process of its own. */
export async function startFunction(work: Work, dynamoDbEndpoint: string): Promise<RunningFunction> {
  const child = startChild<Round>("worker.ts", work, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  await child.answer();
  return {
    async ask(requests) {
      child.send({ requests });
      const round = await child.answer();
      if (round.status >= 300) throw new Error(`A request was answered with ${round.status}: ${round.body}`);
      return round;
    },
    stop: child.stop,
  };
}
