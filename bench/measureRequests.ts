import type { Endpoint } from "../functions/api/endpoint.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { listOrders } from "../functions/endpoints/listOrders.ts";
import { ApiKeyPrincipal } from "../functions/keys/apiKeyPrincipal.ts";
import { Attendee } from "../functions/resources/attendee.ts";
import { exampleOf } from "../functions/resources/fields.ts";
import { Scope } from "../functions/resources/scope.ts";
import { Ticket } from "../functions/resources/ticket.ts";
import type { TableUsage } from "../functions/table/table.ts";
import {
  childlessId,
  generatedId,
  largeOrganisation,
  sellingOrganisation,
  smallOrganisation,
} from "./generatedRecords.ts";
import type { Row } from "./row.ts";

/** Calls of an endpoint, besides the authorizer's; by default one, or two for a list of children. */
const callBudgets: Partial<Record<string, number>> = {
  getKey: 0,
  // In parallel: the order and its tickets.
  getOrder: 2,
  // In parallel: the event and its counters.
  getEventSummary: 2,
  // The date and its counters first: only the date names the event.
  getDateSummary: 4,
  // In parallel: one for each type, and again for types that have the page's rows.
  listChanges: 12,
  updateOrder: 2,
  recordBalancePayment: 2,
};

/** Read units of summaries, which are stored with more than they show, and of a page with a query for each type. */
const unitBudgets: Partial<Record<string, number>> = { getEventSummary: 1.5, getDateSummary: 3, listChanges: 10 };

/** The bytes of a response besides its rows: the envelope and its cursors. A list of changes has two. */
const maximumEnvelopeBytes = 320;
/** The keys, index attributes and hash of an item. */
const maximumKeyBytes = 450;
/** An eventually consistent read of a list costs half a unit for 4 KB. */
const bytesPerUnit = 8_192;

/** Required queries. Generated tickets have the example's barcode. */
const requiredQueries: Record<string, Record<string, string[]>> = {
  listTickets: { barcode: [exampleOf(Ticket).barcode ?? ""] },
  listAttendees: { email: [exampleOf(Attendee).email ?? ""] },
};

interface Measured {
  usage: TableUsage;
  body: string;
}

/** Measures the calls, read units and response of one request to each endpoint of integrations, for organisations with few and many events. */
export async function* measureRequests(): AsyncGenerator<Row> {
  // Writes first, so that both organisations have something to read.
  for (const endpoint of endpoints.filter(({ caller }) => caller.scope?.startsWith("write:"))) {
    await request(endpoint, largeOrganisation, generatedId);
    yield callsRow(endpoint, await request(endpoint, smallOrganisation, generatedId));
  }
  for (const endpoint of endpoints.filter(({ caller }) => caller.scope === "read")) {
    const small = await request(endpoint, smallOrganisation, generatedId);
    yield* rowsOf(endpoint, small);
    const large = await request(endpoint, largeOrganisation, generatedId);
    const what = `read units of ${endpoint.operationId}, many events`;
    yield { what, measured: large.usage.capacityUnits, maximum: small.usage.capacityUnits };
    if (isChildList(endpoint)) {
      yield* rowsOf(endpoint, await request(endpoint, smallOrganisation, childlessId), ", empty");
    }
  }
  yield* measureExpandedPage();
}

/** A default page of orders with their tickets and payments. */
async function* measureExpandedPage(): AsyncGenerator<Row> {
  const { usage, body } = await request(listOrders, sellingOrganisation, generatedId, { expand: ["tickets,payments"] });
  const { data } = JSON.parse(body);
  const measured = Object.values(usage.calls).reduce((sum, calls) => sum + calls, 0);
  // The page, and for each kind a statement for 17 orders.
  yield { what: "DynamoDB calls of listOrders, with tickets and payments", measured, maximum: 7 };
  // Half a unit for each list of an order.
  const maximum = data.length + 1 + Buffer.byteLength(body) / bytesPerUnit;
  yield { what: "read units of listOrders, with tickets and payments", measured: usage.capacityUnits, maximum };
}

async function request(
  endpoint: Endpoint,
  organisationId: number,
  id: number,
  query = requiredQueries[endpoint.operationId] ?? {},
): Promise<Measured> {
  const { body } = endpoint;
  const usage: TableUsage = { calls: {}, capacityUnits: 0 };
  const principal = { organisationId, keyId: "bench", keyName: "Bench", keyPrefix: "tsk_00000000" };
  const answer = await endpoint.answer(
    {
      authorizer: ApiKeyPrincipal.encode({ ...principal, scopes: [...Scope.options] }),
      pathParameters: { id: String(id) },
      queryParameters: query,
      headers: {},
      repeatedHeaders: [],
      body: {
        contentType: "application/json",
        contentEncoding: undefined,
        text: body && JSON.stringify(exampleOf(body)),
      },
      baseUrl: "http://localhost",
    },
    { startedMs: 0, usage, caller: {} },
  );
  return { usage, body: JSON.stringify(answer.body) };
}

function rowsOf(endpoint: Endpoint, measured: Measured, suffix = ""): Row[] {
  const { operationId } = endpoint;
  const { usage, body } = measured;
  const { data = JSON.parse(body) } = JSON.parse(body);
  const rowBytes = Buffer.byteLength(JSON.stringify(data));
  const stored = rowBytes + maximumKeyBytes * countRows(data);
  const maximumUnits = unitBudgets[operationId] ?? maximumCalls(endpoint) + stored / bytesPerUnit;
  return [
    callsRow(endpoint, measured, suffix),
    { what: `read units of ${operationId}${suffix}`, measured: usage.capacityUnits, maximum: maximumUnits },
    {
      what: `response of ${operationId}${suffix}`,
      unit: "B",
      measured: Buffer.byteLength(body),
      maximum: rowBytes + maximumEnvelopeBytes,
    },
  ];
}

/** The rows of a list, or an order with its tickets. */
function countRows(data: unknown[] | { tickets?: unknown[] }): number {
  return Array.isArray(data) ? data.length : 1 + (data.tickets?.length ?? 0);
}

function callsRow(endpoint: Endpoint, { usage }: Measured, suffix = ""): Row {
  const measured = Object.values(usage.calls).reduce((sum, calls) => sum + calls, 0);
  return { what: `DynamoDB calls of ${endpoint.operationId}${suffix}`, measured, maximum: maximumCalls(endpoint) };
}

function maximumCalls(endpoint: Endpoint): number {
  return callBudgets[endpoint.operationId] ?? (isChildList(endpoint) ? 2 : 1);
}

/** True for a list of the children of something that may not exist. */
function isChildList({ path, query }: Endpoint): boolean {
  return path.includes("{id}/") && query !== undefined;
}
