/**
 * How long after its change a wake-up arrives. A change is shown within 11 seconds of its acceptance (docs/decisions/0015-changes.md); clocks
 * differ a little.
 */
export const wakeDelaySeconds = 12;

/** Webhooks per batch, which are served at the same time, so that slow receivers take few of the function's environments. */
export const batchSize = 100;

/** How long Lambda collects a batch, which it requires for more than 10 messages. */
export const batchingSeconds = 1;

/** Batches at the same time. */
export const maximumConcurrency = 50;

/** In a run, no message to a receiver is started after this time: a webhook with a slow receiver goes back to the queue. */
export const longestSendingMs = 5_000;

/** The function stops this long before its timeout: a receiver may take ten seconds, and its attempt is recorded afterwards. */
export const returnMarginMs = 15_000;

/** For one batch. */
export const consumerTimeoutMs = 30_000;

/** How long after a crash SQS delivers the messages of a batch again. */
export const visibilityTimeoutMs = 60_000;

/** How long a failed message waits at most before it is delivered again. Each failure doubles the wait. */
export const longestRetrySeconds = 15 * 60;

/** How long a message is retried: longer than any outage of the table. */
export const retentionDays = 14;

/** Runs that are due later than this wait for the sweep. */
export const longestDelayMs = 60_000;

export const sweepMinutes = 1;

/** A sweep wakes at most this number of webhooks in each shard, the longest due first. */
export const maximumWokenPerShard = 400;
