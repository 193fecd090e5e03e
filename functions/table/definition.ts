/**
 * The table that the stack and the local service create: string keys, five indexes with all attributes, a stream with both images,
 * and items that expire at `expires_at` (seconds since 1970).
 */
export const tableDefinition = {
  partitionKey: "PK",
  sortKey: "SK",
  indexes: [
    { indexName: "GSI1", partitionKey: "GSI1PK", sortKey: "GSI1SK" },
    { indexName: "GSI2", partitionKey: "GSI2PK", sortKey: "GSI2SK" },
    { indexName: "GSI3", partitionKey: "GSI3PK", sortKey: "GSI3SK" },
    { indexName: "GSI4", partitionKey: "GSI4PK", sortKey: "GSI4SK" },
    { indexName: "GSI5", partitionKey: "GSI5PK", sortKey: "GSI5SK" },
  ],
  timeToLiveAttribute: "expires_at",
} as const;
