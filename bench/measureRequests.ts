import type { Endpoint } from "../functions/api/endpoint.ts";
import { readEndpoints, requestOf, writeEndpoints } from "./functions.ts";
import { childlessId, generatedId } from "./generatedRecords.ts";
import { makeRequest } from "./makeRequest.ts";
import type { Call } from "./recordingProxy.ts";
import { median, type Row } from "./row.ts";

/** The bytes of a response besides its rows: the envelope and its cursors. A list of changes has two. */
const maximumEnvelopeBytes = 320;

/** Calls of an endpoint besides the authorizer's; by default one, or two for a list of children. */
const callBudgets: Partial<Record<string, number>> = {
  getKey: 0,
  // In parallel: the order and its tickets.
  getOrder: 2,
  // The date first: only it names the event.
  getDateSummary: 2,
  // In parallel: one for each type, and again for types that have most of the rows.
  listChanges: 12,
  updateOrder: 2,
  recordBalancePayment: 2,
};

/** The most that a page may cost, as a multiple of the units of its rows; 1 by default. */
const unitRatios: Partial<Record<string, number>> = {
  // Only reading some rows of each type shows which types have the page's rows.
  listChanges: 1.3,
};

/** A list reads one row more than it returns, to know whether more follow. */
const unitsOfOneMore = 0.5;

/** API keys of two organisations, which differ in nothing but the number of their events. */
interface Keys {
  small: string;
  large: string;
}

/**
 * Measures the calls, read units and response of one request to each endpoint, authorizer included, for a small and a large
 * organisation.
 */
export async function* measureRequests(keys: Keys, takeCalls: () => Call[], events: number): AsyncGenerator<Row> {
  // Writes first, so that both organisations have something to read.
  for (const endpoint of writeEndpoints) {
    await record(endpoint, keys.large, generatedId);
    const { calls } = await record(endpoint, keys.small, generatedId);
    yield callsRow(endpoint, endpoint.operationId, calls);
  }
  for (const endpoint of readEndpoints) {
    // The first request of a process also reads whether the indexes are complete.
    await record(endpoint, keys.small, generatedId);
    const small = await record(endpoint, keys.small, generatedId);
    yield* readRows(endpoint, endpoint.operationId, small);
    const large = await record(endpoint, keys.large, generatedId);
    yield {
      what: `read units of ${endpoint.operationId}, ${events.toLocaleString("en")} events`,
      measured: unitsOf(large.calls),
      maximum: unitsOf(small.calls),
    };
    if (isChildList(endpoint)) {
      yield* readRows(endpoint, `${endpoint.operationId}, empty`, await record(endpoint, keys.small, childlessId));
    }
  }

  async function record(endpoint: Endpoint, key: string, id: number): Promise<Recorded> {
    takeCalls();
    const { body } = await makeRequest(requestOf(endpoint, key, id));
    return { body, calls: takeCalls() };
  }
}

/**
 * Compares the last page of long lists with the first: their read units, and the time that DynamoDB takes.
 *
 * @param lists the number of rows by operation.
 */
export async function* measureDepth(
  key: string,
  takeCalls: () => Call[],
  lists: Record<string, number>,
  rounds: number,
): AsyncGenerator<Row> {
  for (const endpoint of readEndpoints.filter(({ operationId }) => operationId in lists)) {
    const read = async (cursor?: string) => {
      takeCalls();
      const query = { per_page: ["200"], ...(cursor !== undefined && { cursor: [cursor] }) };
      const { body } = await makeRequest(requestOf(endpoint, key, generatedId, query));
      const { pagination } = JSON.parse(body);
      const queries = takeCalls().filter(({ action }) => action === "Query");
      const ms = queries.reduce((sum, call) => sum + call.ms, 0);
      return { nextCursor: pagination.next_cursor, units: unitsOf(queries), ms };
    };
    let last: string | undefined;
    for (let next = (await read()).nextCursor; next !== null; next = (await read(next)).nextCursor) last = next;
    const ms = { first: [] as number[], last: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      ms.first.push((await read()).ms);
      ms.last.push((await read(last)).ms);
    }
    const what = `the last page of ${endpoint.operationId}, ${lists[endpoint.operationId]?.toLocaleString("en")} rows`;
    yield { what: `read units of ${what}`, measured: (await read(last)).units, maximum: (await read()).units };
    const baseline = median(ms.first);
    yield { what: `time of ${what}, x first page`, unit: "ms", measured: median(ms.last), baseline };
  }
}

interface Recorded {
  body: string;
  calls: Call[];
}

function readRows(endpoint: Endpoint, what: string, { body, calls }: Recorded): Row[] {
  const { data = JSON.parse(body) } = JSON.parse(body);
  const bytesOfRows = Buffer.byteLength(JSON.stringify(data));
  const read = calls.reduce((sum, call) => sum + call.rows, 0);
  const isList = Array.isArray(data);
  const part = isList ? Math.min(1, data.length / read) : 1;
  const leastUnits = calls.reduce(
    (sum, call) => sum + call.leastUnits(call.action === "Query" ? Math.ceil(call.rows * part) : undefined),
    0,
  );
  return [
    callsRow(endpoint, what, calls),
    {
      what: `read units of ${what}`,
      measured: unitsOf(calls),
      maximum: leastUnits * (unitRatios[endpoint.operationId] ?? 1) + (isList ? unitsOfOneMore : 0),
    },
    {
      what: `response of ${what}`,
      unit: "B",
      measured: Buffer.byteLength(body),
      maximum: bytesOfRows + maximumEnvelopeBytes,
    },
  ];
}

function callsRow(endpoint: Endpoint, what: string, calls: Call[]): Row {
  // A list of children reads their parent beside them.
  const maximum = 1 + (callBudgets[endpoint.operationId] ?? (isChildList(endpoint) ? 2 : 1));
  return { what: `DynamoDB calls of ${what}`, measured: calls.length, maximum };
}

function unitsOf(calls: readonly Call[]): number {
  return calls.reduce((sum, { units }) => sum + units, 0);
}

/** Whether the endpoint lists the children of something that may not exist. */
function isChildList({ path, query }: Endpoint): boolean {
  return path.includes("{id}/") && query !== undefined;
}
