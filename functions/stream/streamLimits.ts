import { resourceTypes } from "../resources/resource.ts";
import { countedSortKeys } from "../summaries/countedItem.ts";

export const batchSize = 100;

/** Retries of failed records before they are reported as failed. */
export const maximumRetries = 10;

/** For one batch. While the table refuses writes, the function retries for nearly as long. */
export const consumerTimeoutMs = 60_000;

/** The sort keys of the items whose changes the function gets: the items that summaries count, and those that wake webhooks. */
export const streamedSortKeys: readonly string[] = [
  ...new Set([...countedSortKeys, ...Object.values(resourceTypes).map(({ item }) => item)]),
];
