import { recordBalancePayment } from "../functions/endpoints/recordBalancePayment.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { readEndpoints, requestOf } from "./functions.ts";
import { generatedId, generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import { loadRecords } from "./loadRecords.ts";
import { median } from "./median.ts";
import { progress } from "./progress.ts";
import { recordRequest, unitsOf } from "./recordRequest.ts";
import type { Row } from "./row.ts";
import { startFunction } from "./runningFunction.ts";
import type { Round, Work } from "./worker.ts";

const warmUpRequests = 200;
const requestsPerRound = 100;
/** Flat, as far as a time on a shared machine can be. */
const maximumTimeRatio = 1.2;

/** A key of an organisation that grows and one of an organisation that stays small. */
export interface Keys {
  large: string;
  small: string;
}

/**
 * Whether a request costs the same however many events its organisation has: at each size, the large organisation and the small one
 * take turns.
 */
export async function measureGrowth(
  dynamoDbEndpoint: string,
  keys: Keys,
  sizes: readonly number[],
  rounds: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  let loaded = 0;
  for (const size of sizes) {
    progress(`growth: loading ${(size - loaded).toLocaleString("en")} events`);
    await loadRecords(generatedRecords(largeOrganisation, loaded, size));
    if (loaded === 0) await recordRequest(requestOf(recordBalancePayment, keys.large, generatedId), dynamoDbEndpoint);
    loaded = size;
    for (const endpoint of readEndpoints) {
      const when = `with ${size.toLocaleString("en")} events`;
      rows.push(...(await compare(endpoint, dynamoDbEndpoint, keys, { when, rounds })));
    }
  }
  return rows;
}

async function compare(
  endpoint: Endpoint,
  dynamoDbEndpoint: string,
  keys: Keys,
  { when, rounds }: { when: string; rounds: number },
): Promise<Row[]> {
  const works = [keys.large, keys.small].map((key) => requestOf(endpoint, key, generatedId));
  const [units = 0, baselineUnits = 0] = await Promise.all(works.map((work) => readUnits(work, dynamoDbEndpoint)));
  const [time = 0, baselineTime = 0] = await p50s(works, dynamoDbEndpoint, rounds);
  const what = `${endpoint.operationId} ${when}`;
  return [
    {
      what: `read units of ${what}`,
      unit: "",
      measured: units,
      baseline: baselineUnits,
      maximumRatio: 1,
      kind: "count",
    },
    {
      what: `p50 of ${what}`,
      unit: "µs",
      measured: time,
      baseline: baselineTime,
      maximumRatio: maximumTimeRatio,
      kind: "time",
    },
  ];
}

async function readUnits(work: Work, dynamoDbEndpoint: string): Promise<number> {
  const { calls } = await recordRequest(work, dynamoDbEndpoint);
  return unitsOf(calls);
}

async function p50s(works: readonly Work[], dynamoDbEndpoint: string, rounds: number): Promise<number[]> {
  const running = await Promise.all(works.map((work) => startFunction(work, dynamoDbEndpoint)));
  const taken = running.map(() => [] as Round[]);
  for (const each of running) await each.ask(warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    for (const [index, each] of running.entries()) taken[index]?.push(await each.ask(requestsPerRound));
  }
  await Promise.all(running.map((each) => each.stop()));
  return taken.map((each) => median(each.map(({ wallMicroseconds }) => wallMicroseconds)));
}
