/**
 * The queue's delay. A change is shown within 11 seconds of its acceptance (docs/decisions/0015-changes.md), and messages of one second are
 * merged: a webhook that is woken after 12 seconds finds every change of that second.
 */
export const wakeDelaySeconds = 12;

/** Messages per batch, of as many webhooks, which are served at the same time. */
export const batchSize = 10;

/** For one batch. No message to a receiver is started in the last 15 seconds. */
export const consumerTimeoutMs = 45_000;
export const returnMarginMs = 15_000;

/** SQS retries a message after a crash only when this has passed, and its webhook waits. */
export const visibilityTimeoutMs = consumerTimeoutMs;

/** Messages only wake; the sweep sends new ones. */
export const retentionMinutes = 15;

/** Retries of receivers that are due later wait for the sweep, so that nothing blocks their webhook. */
export const longestHeldMs = 60_000;

export const sweepMinutes = 1;

/** Batches at the same time. A batch with a receiver that does not respond takes ten seconds. */
export const maximumConcurrency = 50;
