import { endpoints, requestOf } from "./functions.ts";
import { generatedIds, generatedRecords } from "./generatedRecords.ts";
import { loadRecords } from "./loadRecords.ts";
import { progress } from "./progress.ts";
import { recordRequest, unitsOf } from "./recordRequest.ts";
import type { Row } from "./row.ts";
import { startFunction } from "./runningFunction.ts";

const warmUpRequests = 300;
const requestsPerRound = 300;
/** p50 is flat, as far as a time on a shared machine can be. */
const maximumTimeRatio = 1.25;

/** What an endpoint's request took at one size. */
interface Cost {
  units: number;
  wallMicroseconds: number;
}

/**
 * Whether a request costs the same however many events its organisation has. Each size is compared with the first, which is in the
 * table already.
 */
export async function measureGrowth(dynamoDbEndpoint: string, key: string, sizes: readonly number[]): Promise<Row[]> {
  const [first = 0] = sizes;
  const rows: Row[] = [];
  const atFirst = await costs(dynamoDbEndpoint, key);
  let loaded = first;
  for (const size of sizes.slice(1)) {
    progress(`loading ${(size - loaded).toLocaleString("en")} more events`);
    await loadRecords(generatedRecords(loaded, size));
    loaded = size;
    for (const [operationId, cost] of await costs(dynamoDbEndpoint, key)) {
      const at = `${operationId} at ${size.toLocaleString("en")} events`;
      const baseline = atFirst.get(operationId);
      rows.push(
        {
          what: `read units of ${at}`,
          unit: "",
          measured: cost.units,
          ...(baseline && { baseline: baseline.units }),
          maximumRatio: 1,
          kind: "count",
        },
        {
          what: `p50 of ${at}`,
          unit: "µs",
          measured: cost.wallMicroseconds,
          ...(baseline && { baseline: baseline.wallMicroseconds }),
          maximumRatio: maximumTimeRatio,
          kind: "time",
        },
      );
    }
  }
  return rows;
}

async function costs(dynamoDbEndpoint: string, key: string): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const endpoint of endpoints) {
    const work = requestOf(endpoint, key, generatedIds);
    const { calls } = await recordRequest(work, dynamoDbEndpoint);
    const running = await startFunction(work, dynamoDbEndpoint);
    await running.ask(warmUpRequests);
    const { wallMicroseconds } = await running.ask(requestsPerRound);
    await running.stop();
    found.set(endpoint.operationId, { units: unitsOf(calls), wallMicroseconds });
  }
  return found;
}
