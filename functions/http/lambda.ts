import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { openTable } from "../data/table.ts";
import type { Endpoint } from "./endpoint.ts";
import { conditionalGet } from "./etag.ts";
import { nextLink } from "./nextLink.ts";
import { serviceUnavailable } from "./problem.ts";
import { problemResponder } from "./problemResponder.ts";
import { type RequestContext, requestContext } from "./requestContext.ts";
import { requestLog } from "./requestLog.ts";

/** Lambda ends a function that runs longer. The table's time-outs and retries stay well under it, and it under the gateway's 29 s. */
export const functionTimeoutMs = 8_000;

/** Answers by itself just before Lambda would end the function without an answer. */
const timeout = {
  timeoutEarlyInMillis: 500,
  timeoutEarlyResponse: () => {
    throw serviceUnavailable(new Error("The function ran out of time."));
  },
};

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an endpoint. */
export function lambda(endpoint: Endpoint): LambdaHandler {
  const handler: unknown = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>(timeout)
    .use(requestLog(endpoint.operationId))
    .use(problemResponder(endpoint.operationId))
    .use(requestContext(endpoint))
    .use(httpHeaderNormalizer())
    .use(conditionalGet())
    .handler((event, context) => respond(endpoint, event, context));
  // Middy's type asks of its caller what requestContext() adds to the context.
  return handler as LambdaHandler;
}

async function respond(
  endpoint: Endpoint,
  event: APIGatewayProxyEvent,
  { caller, usage }: RequestContext,
): Promise<APIGatewayProxyResult> {
  const request = {
    pathParameters: event.pathParameters ?? {},
    queryParameters: event.multiValueQueryStringParameters ?? {},
    headers: event.headers,
    body: { contentType: event.headers["content-type"], text: event.body },
  };
  const { body, headers } = await caller.answer(request, openTable(usage));
  return {
    statusCode: endpoint.status ?? 200,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": endpoint.isSecret ? "no-store" : "private, no-cache",
      Vary: "Authorization",
      "X-Request-Id": event.requestContext.requestId,
      ...nextLink(event, body),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
