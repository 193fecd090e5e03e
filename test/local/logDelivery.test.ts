import assert from "node:assert/strict";
import { WriteStream } from "node:tty";
import { gunzipSync } from "node:zlib";
import { jest, test } from "@jest/globals";
import type { CloudWatchLogsEvent } from "aws-lambda";
import { logger } from "../../functions/log/logger.ts";
import { startLogDelivery } from "../../local/logDelivery.ts";

const messagesOf = ({ awslogs }: CloudWatchLogsEvent): string[] =>
  JSON.parse(gunzipSync(Buffer.from(awslogs.data, "base64")).toString()).logEvents.map(
    ({ message }: { message: string }) => message,
  );

/** An output that keeps what is written to it. */
function memoryOutput() {
  const written: string[] = [];
  const output = Object.assign(Object.create(WriteStream.prototype), { write: (chunk: string) => written.push(chunk) });
  return { output, written };
}

test("the lines about keys are delivered in order, and all lines are still written", async () => {
  const { output, written } = memoryOutput();
  const delivered: string[] = [];
  const { stop } = startLogDelivery(async (event) => void delivered.push(...messagesOf(event)), output);
  const lines = ['{"key_id":"1"}\n', '{"message":"usage"}\n', '{"key_id":"2"}\n'];
  for (const line of lines) output.write(line);
  await stop();
  output.write("after\n");
  assert.deepEqual(delivered, [lines[0], lines[2]]);
  assert.deepEqual(written, [...lines, "after\n"]);
});

test("a failed delivery is repeated with the same lines, which have the same ids", async () => {
  jest.spyOn(logger, "error").mockReturnValue();
  const { output } = memoryOutput();
  const deliveries: string[] = [];
  const { stop } = startLogDelivery(async ({ awslogs }) => {
    deliveries.push(awslogs.data);
    if (deliveries.length < 3) throw new Error("The table does not respond.");
  }, output);
  output.write('{"key_id":"1"}\n');
  await stop();
  assert.equal(deliveries.length, 3);
  assert.equal(new Set(deliveries).size, 1);
});
