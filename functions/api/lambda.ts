import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { failureFields, requestMessage } from "../log/requestLine.ts";
import { problemCodes } from "../problem.ts";
import { Unavailable } from "../table/tableErrors.ts";
import type { Endpoint } from "./endpoint.ts";
import { problemHandler } from "./problemResponse.ts";
import type { RequestContext, RequestMiddleware } from "./requestContext.ts";
import { baseUrlOf, conditionalGet, nextLink, securityHeaders } from "./response.ts";

/** Lambda's timeout for a function. The table's timeouts and retries stay well below it, and it stays below the gateway's 29 s. */
export const functionTimeoutMs = 8_000;

/** Responds just before Lambda would end the function without a response. */
const timeout = {
  timeoutEarlyInMillis: 500,
  timeoutEarlyResponse: () => {
    throw new Unavailable(new Error("The function timed out."));
  },
};

/** Reads only these members of the context. */
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
) => Promise<APIGatewayProxyResult>;

export function lambda(endpoint: Endpoint): LambdaHandler {
  const handler: unknown = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>(timeout)
    .use(requestLog(endpoint))
    .use(httpErrorHandler({ logger: false }))
    .use(problemHandler(endpoint))
    .use(combinedHeaders())
    .use(conditionalGet())
    .handler((event, context) => respond(endpoint, event, context));
  // Middy's type requires callers to pass the context members that requestLog() adds.
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
    repeatedHeaders: context.repeatedHeaders,
    body: {
      contentType: event.headers["content-type"],
      contentEncoding: event.headers["content-encoding"],
      text: bodyOf(event),
    },
    baseUrl: baseUrlOf(event),
  };
  const { body, headers, isReplayed, status = endpoint.status ?? 200 } = await endpoint.answer(request, context);
  context.isReplayed = isReplayed;
  return {
    statusCode: status,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json; charset=utf-8" }),
      "Cache-Control": endpoint.isSecret ? "no-store" : "private, no-cache",
      // The gateway compresses without changing the ETag.
      Vary: "Authorization, Accept-Encoding",
      "X-Request-Id": event.requestContext.requestId,
      ...securityHeaders,
      ...deprecationHeaders(endpoint),
      ...nextLink(event, body),
      ...headers,
    },
    body: body === undefined ? "" : JSON.stringify(body),
  };
}

/** The headers that the service reads and that have a single value. If one is repeated, a proxy may have read the other line. */
const singleHeaders = ["authorization", "content-type", "idempotency-key"];

/** Joins each header's lines (RFC 9110, section 5.3), by its lower-case name. The gateway's `headers` contain only the last line. */
function combinedHeaders(): RequestMiddleware {
  return {
    before: ({ event, context }) => {
      const lines: Record<string, string[]> = Object.create(null);
      for (const [name, values = []] of Object.entries(sentHeaders(event))) {
        const key = name.toLowerCase();
        lines[key] = [...(lines[key] ?? []), ...values];
      }
      context.repeatedHeaders = singleHeaders.filter((name) => (lines[name]?.length ?? 0) > 1);
      event.headers = Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.join(", ")]));
    },
  };
}

/** Every line of each header. The gateway's console sends null instead of no headers. */
function sentHeaders({ multiValueHeaders, headers }: APIGatewayProxyEvent): APIGatewayProxyEvent["multiValueHeaders"] {
  if (multiValueHeaders) return multiValueHeaders;
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name, value === undefined ? [] : [value]]),
  );
}

/** RFC 9745 and RFC 8594. */
function deprecationHeaders({ deprecation }: Endpoint): Record<string, string> {
  if (!deprecation) return {};
  return { Deprecation: `@${deprecation.since.getTime() / 1000}`, Sunset: deprecation.sunset.toUTCString() };
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string | null {
  return body && isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
}

/**
 * Logs one line for every request: caller, operation, duration, status, table usage, metrics, and the reason for a failure.
 * Headers, query and body are never logged, except declared names of invalid parameters. It has both ids, because Lambda's own lines know only its own.
 */
function requestLog(endpoint: Endpoint): RequestMiddleware {
  const log = (event: APIGatewayProxyEvent, context: RequestContext, response?: APIGatewayProxyResult | null) => {
    const { caller, called, startedMs, usage, isReplayed } = context;
    const { operation, path } = called ?? { operation: endpoint, path: event.path };
    const method = called ? operation.method : event.httpMethod;
    const problem = context.problem ?? called?.problem;
    const status = called?.problem ? problemCodes[called.problem.code].status : response?.statusCode;
    const isRead = endpoint.method === "GET" || endpoint.caller.scope === "read";
    const isChange = !isRead && status !== undefined && status < 300 && !isReplayed;
    logger.info(requestMessage, {
      request_id: event.requestContext.requestId,
      function_request_id: context.awsRequestId,
      ...caller,
      status,
      code: problem?.code,
      // Only for API keys, whose failures super-admins can see. A super-admin's problem may contain names.
      ...(problem && "key_id" in caller && failureFields(operation, method, path, problem)),
      ...measurements({ operationId: operation.operationId, startedMs, usage, status, isChange }),
    });
  };
  return {
    before: ({ context }) => {
      context.startedMs = performance.now();
      context.usage = { calls: {}, capacityUnits: 0 };
      context.caller = {};
    },
    after: ({ event, context, response }) => log(event, context, response),
    onError: ({ event, context, response }) => log(event, context, response),
  };
}
