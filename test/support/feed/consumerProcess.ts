import type { SQSEvent } from "aws-lambda";
import { handler } from "../../../functions/feed/feed.ts";
import { logger } from "../../../functions/log/logger.ts";

logger.setLogLevel("SILENT");

interface Batch {
  id: string;
  event: SQSEvent;
  remainingMs: number;
}

/** Runs the feed's consumer, as Lambda does, on the batches that the parent process sends, and responds to each. */
process.on("message", async ({ id, event, remainingMs }: Batch) => {
  const endMs = performance.now() + remainingMs;
  try {
    const response = await handler(event, { getRemainingTimeInMillis: () => Math.floor(endMs - performance.now()) });
    process.send?.({ id, response });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
