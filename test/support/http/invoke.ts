import type { APIGatewayProxyResult } from "aws-lambda";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { lambda } from "../../../functions/api/lambda.ts";
import { proxyEvent } from "../../fuzz/support/requests.ts";

/** Runs an endpoint's function with a valid request, of whose event some members are replaced. */
export function invoke(
  endpoint: Endpoint,
  changes: object = {},
  remainingMs = 100_000,
): Promise<APIGatewayProxyResult> {
  const context = { awsRequestId: "f1", getRemainingTimeInMillis: () => remainingMs };
  return lambda(endpoint)(proxyEvent(endpoint, changes), context);
}

/** The member of an event for these parameters of a query. */
export function ofQuery(query: Record<string, string>) {
  const values = Object.entries(query).map(([name, value]) => [name, [value]]);
  return { multiValueQueryStringParameters: Object.fromEntries(values) };
}
