import { mix } from "../cli/cost/workload.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { readEndpoints, requestOf, writeEndpoints } from "./functions.ts";
import { childlessId, generatedId } from "./generatedRecords.ts";
import { recordRequest, unitsOf } from "./recordRequest.ts";
import type { Row } from "./row.ts";

/** Of an answer, what is not the rows themselves: the envelope and its cursors, of which a list of changes has two. */
const maximumEnvelopeBytes = 250;

const authorizerUnits = 1;
/** What is priced as it is asked here. An order of the bench has more tickets than people buy, and its changes are more than of a few minutes. */
const pricedAsMeasured = ["getEvent", "listEvents", "listEventDates"];

/** Calls of an endpoint beside the authorizer's, where it is not one. */
const callBudgets: Partial<Record<string, number>> = {
  getKey: 0,
  // At the same time: the order and its tickets.
  getOrder: 2,
  // The date, and then its event, which only the date names.
  getDateSummary: 2,
  updateOrder: 2,
  recordBalancePayment: 2,
};

/** What one request of each endpoint asks of DynamoDB, the authorizer's part included, and how much it answers. */
export async function measureCosts(dynamoDbEndpoint: string, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const endpoint of readEndpoints) {
    rows.push(...(await costs(endpoint, endpoint.operationId, generatedId)));
    rows.push(...countedInPrices(endpoint, rows));
    if (isChildList(endpoint)) rows.push(...(await costs(endpoint, `${endpoint.operationId}, empty`, childlessId)));
  }
  for (const endpoint of writeEndpoints) {
    const [calls] = await costs(endpoint, endpoint.operationId, generatedId);
    if (calls) rows.push(calls);
  }
  return rows;

  async function costs(endpoint: Endpoint, what: string, id: number): Promise<Row[]> {
    const { calls, body } = await recordRequest(requestOf(endpoint, key, id), dynamoDbEndpoint);
    const { data = JSON.parse(body) } = JSON.parse(body);
    const bytesOfRows = Buffer.byteLength(JSON.stringify(data));
    // An empty page of children takes a look at their parent.
    const own = callBudgets[endpoint.operationId] ?? 1;
    const maximumCalls = 1 + own + (Array.isArray(data) && data.length === 0 ? 1 : 0);
    const leastUnits = calls.reduce((sum, call) => sum + call.leastUnits, 0);
    return [
      { what: `DynamoDB calls of ${what}`, unit: "", measured: calls.length, maximum: maximumCalls, kind: "count" },
      { what: `read units of ${what}`, unit: "", measured: unitsOf(calls), maximum: leastUnits, kind: "count" },
      {
        what: `answer of ${what}`,
        unit: "B",
        measured: Buffer.byteLength(body),
        baseline: bytesOfRows,
        maximum: bytesOfRows + maximumEnvelopeBytes,
        kind: "count",
      },
    ];
  }
}

/** That docs/operators/cost.md counts no fewer read units of an operation than were measured. */
function countedInPrices({ operationId }: Endpoint, rows: readonly Row[]): Row[] {
  const priced = pricedAsMeasured.includes(operationId) ? mix[operationId] : undefined;
  const measured = rows.find(({ what }) => what === `read units of ${operationId}`)?.measured;
  if (!priced || measured === undefined) return [];
  const maximum = priced.readUnits + authorizerUnits;
  return [{ what: `read units of ${operationId}, beside what is priced`, unit: "", measured, maximum, kind: "count" }];
}

/** Whether the endpoint lists the children of something that may not exist. */
function isChildList({ path, query }: Endpoint): boolean {
  return path.includes("{id}") && query !== undefined;
}
