/** Seconds of a month of 730 hours, in which AWS counts. */
export const monthSeconds = 730 * 3600;

/** How much a stage has to do. */
export interface Workload {
  name: string;
  /** On average, over the whole month. */
  requestsPerSecond: number;
  feedRecordsPerSecond: number;
  /** API keys in use at any one time: each costs a write a minute. */
  activeKeys: number;
  /** Items that records make. */
  items: number;
  /** Each is one operation's, over the hours in which there is one: see `measurements.ts`. */
  customMetrics: number;
}

export const workloads: readonly Workload[] = [
  {
    name: "1 a second",
    requestsPerSecond: 1,
    feedRecordsPerSecond: 0.2,
    activeKeys: 10,
    items: 2_000_000,
    customMetrics: 70,
  },
  {
    name: "30 a second",
    requestsPerSecond: 30,
    feedRecordsPerSecond: 6,
    activeKeys: 100,
    items: 20_000_000,
    customMetrics: 100,
  },
  {
    name: "300 a second",
    requestsPerSecond: 300,
    feedRecordsPerSecond: 60,
    activeKeys: 500,
    items: 100_000_000,
    customMetrics: 120,
  },
];

/** What a request of an operation asks of the table, besides the authorizer. */
interface Operation {
  /** Of a hundred requests. */
  share: number;
  readUnits: number;
  writeUnits: number;
}

/**
 * What is asked, which is assumed. The units of reads are those that `bench/measureCosts.ts` measures, less the authorizer's one; a list of
 * changes that is asked again and again is mostly short. Of writes they follow from docs/operators/data-model.md: a unit for the item and one for each
 * index, two where the index moves it, twice the item's in a transaction; and the count of the summaries.
 */
export const mix: Record<string, Operation> = {
  getEvent: { share: 15, readUnits: 1, writeUnits: 0 },
  listEvents: { share: 10, readUnits: 3, writeUnits: 0 },
  listEventDates: { share: 10, readUnits: 1.5, writeUnits: 0 },
  listDateTickets: { share: 10, readUnits: 3, writeUnits: 0 },
  listOrders: { share: 30, readUnits: 1, writeUnits: 0 },
  getOrder: { share: 10, readUnits: 1.5, writeUnits: 0 },
  getEventSummary: { share: 10, readUnits: 2, writeUnits: 0 },
  updateOrder: { share: 4, readUnits: 0.5 + 2.4, writeUnits: 4 + 2.8 },
  recordBalancePayment: { share: 1, readUnits: 3 + 2.4, writeUnits: 7 + 2.8 },
};

/** What a request takes. Durations and bytes are assumed: nothing of the kind is measured before there is a stage under load. */
export const request = {
  authorizerMs: 10,
  endpointMs: 20,
  authorizerReadUnits: 1,
  /** As sent, packed, with its headers. */
  answerBytes: 4_000,
  /** The gateway's line, and of each of two functions its own line and Lambda's two. */
  logBytes: 3_400,
} as const;

/**
 * What a record of the feed takes. Writing it: the item and both of its indexes. Counting it: its contribution, in a transaction, and a fifth
 * of two summaries' writes, for five records of an event come at a time; before that, its contribution and its item are read.
 */
export const feedRecord = {
  readUnits: 2 + 2 / 5,
  writeUnits: 3 + 2 + (2 * 2) / 5,
  /** Of the feed's function and of the summaries', together. */
  functionMs: 8,
  recordsPerMessage: 10,
  /** To send, to receive and to delete it; received ones come up to ten at a time. */
  queueRequestsPerMessage: 3,
  logBytes: 100,
} as const;

/** What is there all the time. */
export const stage = {
  memoryGB: 1769 / 1024,
  webAclRules: 5,
  alarmMetrics: 32,
  dashboards: 1,
  /** Of an item with its two index entries and what is counted of it, DynamoDB's 100 bytes each included. */
  bytesPerItem: 2_400,
  /** Lambda asks each of two queues with five readers, for up to 20 seconds a time. */
  idleQueueReadsPerSecond: (2 * 5) / 20,
  /** Of one shard, four a second. A shard takes some 1,000 writes a second. */
  streamReadsPerSecond: 4,
  /** Files of the last 30 days, and the website. */
  bucketGB: 5,
  /** What logs take of their size, packed, is assumed. They stay for 30 days. */
  packedLogs: 0.15,
  /** X-Ray records the first request of a second and a twentieth of the others. */
  tracedShare: 0.05,
} as const;
