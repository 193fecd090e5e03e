import { getEvent } from "../functions/endpoints/getEvent.ts";
import { listEvents } from "../functions/endpoints/listEvents.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { startChild } from "./child.ts";
import { requestOf } from "./functions.ts";
import { generatedId } from "./generatedRecords.ts";
import { median } from "./median.ts";
import { progress } from "./progress.ts";
import { recordRequest, unitsOf } from "./recordRequest.ts";
import type { Row } from "./row.ts";
import { startFunction } from "./runningFunction.ts";
import type { Round } from "./worker.ts";

const warmUpRequests = 200;
const requestsPerRound = 300;

/**
 * Whether reads go on as they do without it while the feed stores records as fast as one consumer can. They take turns: with the feed, and
 * without. Here the reads, the consumer and DynamoDB share one machine, so times tell of the machine too; what a read asks of DynamoDB does
 * not.
 */
export async function measureReadsBesideFeed(dynamoDbEndpoint: string, key: string, rounds: number): Promise<Row[]> {
  progress("reads beside the feed");
  const feeder = startChild<number>("feeder.ts", {}, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  await feeder.answer();
  const rows: Row[] = [];
  const besideFeed = async <Result>(work: () => Promise<Result>) => {
    feeder.send({ isRunning: true });
    const result = await work();
    const answer = feeder.answer();
    feeder.send({ isRunning: false });
    return { result, stored: await answer };
  };
  for (const endpoint of [listEvents, getEvent]) rows.push(...(await compare(endpoint)));
  await feeder.stop();
  return rows;

  async function compare(endpoint: Endpoint): Promise<Row[]> {
    const work = requestOf(endpoint, key, generatedId);
    const units = async () => unitsOf((await recordRequest(work, dynamoDbEndpoint)).calls);
    const baselineUnits = await units();
    const { result: measuredUnits } = await besideFeed(units);
    const running = await startFunction(work, dynamoDbEndpoint);
    await running.ask(warmUpRequests);
    const taken = { without: [] as Round[], beside: [] as Round[] };
    let stored = 0;
    for (let round = 0; round < rounds; round++) {
      taken.without.push(await running.ask(requestsPerRound));
      const { result, ...fed } = await besideFeed(() => running.ask(requestsPerRound));
      taken.beside.push(result);
      stored += fed.stored;
    }
    await running.stop();
    const { operationId } = endpoint;
    const time = (what: string, of: "processorMicroseconds" | "wallMicroseconds"): Row => ({
      what: `${what} of ${operationId} beside ${stored.toLocaleString("en")} records of the feed`,
      unit: "µs",
      measured: median(taken.beside.map((round) => round[of])),
      baseline: median(taken.without.map((round) => round[of])),
      kind: "time",
    });
    return [
      {
        what: `read units of ${operationId} beside the feed`,
        unit: "",
        measured: measuredUnits,
        baseline: baselineUnits,
        maximumRatio: 1,
        kind: "count",
      },
      time("p50", "wallMicroseconds"),
      time("processor time", "processorMicroseconds"),
    ];
  }
}
