import { countedSortKeys } from "../data/summaries/summaryShares.ts";

/** The delivery of the table's stream to the consumer of the summaries, for the stack and the local feed. */
export const delivery = {
  /** The sort keys of the items whose changes are delivered. The consumer's own writes are not among them. */
  sortKeys: countedSortKeys,
  /** Records per batch. */
  batchSize: 100,
  /** Retries of failed records before they are reported as failed. */
  maximumRetries: 10,
} as const;
