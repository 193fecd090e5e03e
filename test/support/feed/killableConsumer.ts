import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { SQSBatchResponse } from "aws-lambda";
import type { Consumer } from "../../../packages/local-aws/queue/delivery.ts";

const program = fileURLToPath(new URL("./consumerProcess.ts", import.meta.url));

/** The process's response to a batch. */
interface Answer {
  id: string;
  response?: SQSBatchResponse;
  error?: string;
}

type Waiting = Map<string, { settle: (response: SQSBatchResponse) => void; fail: (error: Error) => void }>;

/** A process that runs the consumer; the batches in progress fail when it ends. */
function startProcess() {
  const child = fork(program, { env: process.env });
  const waiting: Waiting = new Map();
  child.on("message", ({ id, response, error }: Answer) => {
    if (response) waiting.get(id)?.settle(response);
    else waiting.get(id)?.fail(new Error(error));
    waiting.delete(id);
  });
  child.once("exit", () => {
    for (const { fail } of waiting.values()) fail(new Error("The consumer was killed."));
  });
  return { child, waiting };
}

/** The feed's consumer in a process that can be killed in the middle of its work; the next batch starts a new one. */
export function killableConsumer() {
  let running: ReturnType<typeof startProcess> | undefined;

  const consumer: Consumer = (event, context) => {
    running ??= startProcess();
    const { child, waiting } = running;
    const id = randomUUID();
    return new Promise((settle, fail) => {
      waiting.set(id, { settle, fail });
      child.send({ id, event, remainingMs: context.getRemainingTimeInMillis() });
    });
  };

  /** @returns the number of batches in progress. */
  function kill(): number {
    const killed = running?.waiting.size ?? 0;
    running?.child.kill("SIGKILL");
    running = undefined;
    return killed;
  }

  return { consumer, kill };
}
