import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { CloudWatchLogsEvent } from "aws-lambda";
import type { KeyLine } from "../functions/keys/countUsage.ts";
import { logger } from "../functions/log/logger.ts";

const pauseMs = 500;
/** As in Lambda. */
const maximumTries = 3;

/** Passes on only the log's lines about requests, keys that were refused, warnings and errors. */
export function showOnlyRequests(output: NodeJS.WriteStream = process.stdout): void {
  const write = output.write;
  const isHidden = (line: string) =>
    /^\{"level":"INFO","message":"(?!request"|authorization")/.test(line) || line.includes('"outcome":"allowed"');
  output.write = (chunk: string | Uint8Array, ...rest: never[]) =>
    isHidden(String(chunk)) || write.call(output, chunk, ...rest);
}

type Consumer = (event: CloudWatchLogsEvent) => Promise<void>;

/**
 * Replaces CloudWatch Logs in the local service: delivers the log lines of requests to a consumer, in batches.
 * @param output receives the log; its `write` is replaced until the delivery stops.
 * @returns `stop` delivers what is left.
 */
export function startLogDelivery(consumer: Consumer, output: NodeJS.WriteStream = process.stdout) {
  const write = output.write;
  const stopping = new AbortController();
  let lines: { id: string; timestamp: number; message: string }[] = [];
  output.write = (chunk: string | Uint8Array, ...rest: never[]) => {
    const message = String(chunk);
    if (message.includes(`"${"key_id" satisfies keyof KeyLine}":`))
      lines.push({ id: randomUUID(), timestamp: Date.now(), message });
    return write.call(output, chunk, ...rest);
  };

  async function deliver(): Promise<void> {
    const logEvents = lines;
    lines = [];
    if (logEvents.length === 0) return;
    const data = gzipSync(JSON.stringify({ messageType: "DATA_MESSAGE", logEvents })).toString("base64");
    for (let tries = 1; tries <= maximumTries; tries++) {
      try {
        return await consumer({ awslogs: { data } });
      } catch (error) {
        logger.error("The consumer of the log failed.", { error, tries });
      }
    }
  }

  const ended = (async () => {
    while (!stopping.signal.aborted) {
      await deliver();
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await deliver();
    output.write = write;
  })();
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { stop };
}
