import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import type { RequestContext, RequestMiddleware } from "./requestContext.ts";

/**
 * Logs one line for every request: caller, operation, duration, status and table usage, with the metrics in the same line. Headers,
 * query and body are never logged. Lambda's own lines contain only its request id, so the line has both ids.
 */
export function requestLog(operationId: string): RequestMiddleware {
  const log = (event: APIGatewayProxyEvent, context: RequestContext, response?: APIGatewayProxyResult | null) => {
    const status = response?.statusCode;
    const { caller, code, startedMs, usage } = context;
    logger.info("request", {
      request_id: event.requestContext.requestId,
      function_request_id: context.awsRequestId,
      ...caller,
      status,
      code,
      ...measurements({ operationId, startedMs, usage, status, isChange: isChange(event, response) }),
    });
  };
  return {
    after: ({ event, context, response }) => log(event, context, response),
    onError: ({ event, context, response }) => log(event, context, response),
  };
}

/** A replayed response reports the change of an earlier request. */
function isChange({ httpMethod }: APIGatewayProxyEvent, response?: APIGatewayProxyResult | null): boolean {
  if (httpMethod === "GET" || httpMethod === "HEAD" || !response || response.statusCode >= 300) return false;
  return response.headers?.["Idempotency-Replayed"] === undefined;
}
