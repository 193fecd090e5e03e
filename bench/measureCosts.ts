import type { Endpoint } from "../functions/http/endpoint.ts";
import { readEndpoints, requestOf } from "./functions.ts";
import { childlessIds, generatedIds } from "./generatedRecords.ts";
import { recordRequest, unitsOf } from "./recordRequest.ts";
import type { Row } from "./row.ts";

/** Of an answer, what is not the rows themselves: the envelope and the cursor. */
const maximumEnvelopeBytes = 200;

/** What one request of each endpoint asks of DynamoDB, the authorizer's part included, and how much it answers. */
export async function measureCosts(dynamoDbEndpoint: string, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const endpoint of readEndpoints) {
    rows.push(...(await costs(endpoint, endpoint.operationId, generatedIds)));
    if (isChildList(endpoint)) rows.push(...(await costs(endpoint, `${endpoint.operationId}, empty`, childlessIds)));
  }
  return rows;

  async function costs(endpoint: Endpoint, what: string, ids: typeof generatedIds): Promise<Row[]> {
    const { calls, body } = await recordRequest(requestOf(endpoint, key, ids), dynamoDbEndpoint);
    const { data = JSON.parse(body) } = JSON.parse(body);
    const bytesOfRows = Buffer.byteLength(JSON.stringify(data));
    // An empty page of children takes a look at their parent.
    const maximumCalls = 1 + (endpoint.table ? 1 : 0) + (Array.isArray(data) && data.length === 0 ? 1 : 0);
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

/** Whether the endpoint lists the children of something that may not exist. */
function isChildList({ path, query }: Endpoint): boolean {
  return path.includes("{id}") && query !== undefined;
}
