/*
 * How the feed's messages are delivered to its consumer: by Lambda as the stack says, and by the local queue.
 */

/** Messages at a time. Lambda takes fewer where they are more than 6 MB. */
export const batchSize = 10;

/** How often a message is tried before it is given up. */
export const maximumTries = 5;

/** Batches at a time: what the feed may ask of the table, so that reads go on as fast as ever. */
export const maximumConcurrency = 10;

/** How long the consumer may take for a batch: 6 MB of small records, each with a version, take far less. */
export const consumerTimeoutMs = 60_000;

/** A message that was not answered for is tried again then. Six times the function's own time, as Lambda asks for. */
export const visibilityTimeoutMs = 6 * consumerTimeoutMs;
