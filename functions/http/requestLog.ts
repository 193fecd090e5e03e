import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import type { RequestContext, RequestMiddleware } from "./requestContext.ts";

/**
 * Logs one line for every request: caller, operation, duration, status and table usage, with the metrics in the same line. Headers,
 * query and body are never logged.
 */
export function requestLog(operationId: string): RequestMiddleware {
  const log = (event: APIGatewayProxyEvent, context: RequestContext, response?: APIGatewayProxyResult | null) => {
    const status = response?.statusCode;
    const { caller, startedMs, usage } = context;
    logger.info("request", {
      request_id: event.requestContext.requestId,
      ...caller,
      status,
      ...measurements({ operationId, startedMs, usage, status }),
    });
  };
  return {
    after: ({ event, context, response }) => log(event, context, response),
    onError: ({ event, context, response }) => log(event, context, response),
  };
}
