import type { SQSEvent } from "aws-lambda";
import { handler } from "../../functions/consumers/feed.ts";
import { logger } from "../../functions/log/logger.ts";

logger.setLogLevel("SILENT");

interface Batch {
  id: string;
  event: SQSEvent;
  remainingMs: number;
}

/** Runs the feed's consumer on the batches that the parent process sends, as Lambda runs it, and answers for each. */
process.on("message", async ({ id, event, remainingMs }: Batch) => {
  const endMs = performance.now() + remainingMs;
  try {
    const response = await handler(event, { getRemainingTimeInMillis: () => Math.floor(endMs - performance.now()) });
    process.send?.({ id, response });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
