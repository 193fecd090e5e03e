/** Records per batch. */
export const batchSize = 100;

/** Retries of failed records before they are reported as failed. */
export const maximumRetries = 10;
