/** Messages per batch. Lambda delivers fewer if they exceed 6 MB. */
export const batchSize = 10;

/** After this number of tries without a stored record, a message goes to the dead-letter queue, unless the table was unavailable. */
export const maximumTries = 5;

/** Concurrent batches. This limits the feed's load on the table, so that reads stay fast. */
export const maximumConcurrency = 10;

/** For one batch. 6 MB of small records, each with a version, take far less. */
export const consumerTimeoutMs = 60_000;

/** Six times the function's timeout, as Lambda recommends. */
export const visibilityTimeoutMs = 6 * consumerTimeoutMs;
