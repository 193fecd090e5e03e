/** Records per batch. */
export const batchSize = 100;

/** Retries of failed records before they are reported as failed. */
export const maximumRetries = 10;

/** For one batch. While the table refuses writes, the function retries for nearly as long. */
export const consumerTimeoutMs = 60_000;
