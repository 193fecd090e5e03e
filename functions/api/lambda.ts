import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { serviceUnavailable } from "../problem.ts";
import { conditionalGet } from "./conditionalGet.ts";
import type { Endpoint } from "./endpoint.ts";
import { nextLink } from "./nextLink.ts";
import { problemHandler } from "./problemHandler.ts";
import { type RequestContext, requestContext } from "./requestContext.ts";
import { requestLog } from "./requestLog.ts";
import { securityHeaders } from "./securityHeaders.ts";

/** Lambda's timeout for a function. The table's timeouts and retries stay well below it, and it stays below the gateway's 29 s. */
export const functionTimeoutMs = 8_000;

/** Responds just before Lambda would end the function without a response. */
const timeout = {
  timeoutEarlyInMillis: 500,
  timeoutEarlyResponse: () => {
    throw serviceUnavailable(new Error("The function timed out."));
  },
};

/** Reads only these members of the context. */
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an endpoint. */
export function lambda(endpoint: Endpoint): LambdaHandler {
  const handler: unknown = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>(timeout)
    .use(requestLog(endpoint.operationId))
    .use(httpErrorHandler({ logger: false }))
    .use(problemHandler(endpoint.operationId))
    .use(requestContext())
    .use(httpHeaderNormalizer())
    .use(conditionalGet())
    .handler((event, context) => respond(endpoint, event, context));
  // Middy's type requires callers to pass the context members that requestContext() adds.
  return handler as LambdaHandler;
}

async function respond(
  endpoint: Endpoint,
  event: APIGatewayProxyEvent,
  context: RequestContext,
): Promise<APIGatewayProxyResult> {
  const request = {
    authorizer: event.requestContext.authorizer,
    pathParameters: event.pathParameters ?? {},
    queryParameters: event.multiValueQueryStringParameters ?? {},
    headers: event.headers,
    body: {
      contentType: event.headers["content-type"],
      contentEncoding: event.headers["content-encoding"],
      text: bodyOf(event),
    },
  };
  const { body, headers } = await endpoint.answer(request, context);
  return {
    statusCode: endpoint.status ?? 200,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": endpoint.isSecret ? "no-store" : "private, no-cache",
      // The gateway compresses without changing the ETag.
      Vary: "Authorization, Accept-Encoding",
      "X-Request-Id": event.requestContext.requestId,
      ...securityHeaders,
      ...deprecationHeaders(endpoint),
      ...nextLink(event, body),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** RFC 9745 and RFC 8594. */
function deprecationHeaders({ deprecation }: Endpoint): Record<string, string> {
  if (!deprecation) return {};
  return { Deprecation: `@${deprecation.since.getTime() / 1000}`, Sunset: deprecation.sunset.toUTCString() };
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string | null {
  return body && isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
}
