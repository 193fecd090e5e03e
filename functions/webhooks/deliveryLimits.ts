/** Webhooks per batch, which are served concurrently. */
export const batchSize = 10;

/** Concurrent batches. */
export const maximumConcurrency = 50;

/** For one batch: a receiver may take ten seconds. */
export const consumerTimeoutMs = 30_000;

/** SQS redelivers a failed or crashed batch after this time. */
export const visibilityTimeoutMs = 60_000;

/** Polls scheduled later than this are left to the sweep. */
export const longestDelayMs = 60_000;

export const sweepMinutes = 1;

/** A sweep wakes at most this number of webhooks in each shard, the longest due first. */
export const maximumWokenPerShard = 400;
