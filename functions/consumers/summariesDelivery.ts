import { countedSortKeys } from "../data/summaries/summaryShares.ts";

/** How the table's stream is delivered to the consumer of the summaries: by Lambda as the stack says, and by the local feed. */
export const delivery = {
  /** The sort keys of the items whose changes are delivered. What the consumer writes itself is not among them. */
  sortKeys: countedSortKeys,
  /** Records at a time. */
  batchSize: 100,
  /** How often records that fail are tried again before they are given up. */
  maximumRetries: 10,
} as const;
