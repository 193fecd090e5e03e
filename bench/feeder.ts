import { handler } from "../functions/consumers/feed.ts";
import { logger } from "../functions/log/logger.ts";
import { feedingOrganisation, generatedRecords } from "./generatedRecords.ts";

/*
 * Stores records as the feed's consumer does, batch after batch, from a message { isRunning: true } to one that says false, which it
 * answers with the number of records stored in between.
 */
const recordsPerMessage = 500;
const messagesPerBatch = 4;

let isRunning = false;
let next = 0;
let stored = 0;

logger.setLogLevel("SILENT");
process.on("message", async (message: { isRunning: boolean }) => {
  isRunning = message.isRunning;
  if (!isRunning) return;
  stored = 0;
  while (isRunning) await storeBatch();
  process.send?.(stored);
});
process.send?.("ready");
// Whoever asked is gone.
process.once("disconnect", () => process.exit());

async function storeBatch(): Promise<void> {
  const Records = Array.from({ length: messagesPerBatch }, (_, index) => ({
    messageId: String(index),
    body: nextMessage(),
    attributes: { ApproximateReceiveCount: "1" },
  }));
  // Of an event, the consumer looks at no more than this.
  const event = { Records } as unknown as Parameters<typeof handler>[0];
  const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis: () => 60_000 });
  stored += (messagesPerBatch - batchItemFailures.length) * recordsPerMessage;
}

/** Records with versions, each of which is a write of its own. */
function nextMessage(): string {
  const records = generatedRecords(feedingOrganisation, next + 1, next + 1 + recordsPerMessage);
  next += recordsPerMessage;
  return JSON.stringify(Array.from(records, (record) => ({ ...record, version: 1 })));
}
