import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { logger } from "./logger.ts";
import type { RequestContext, RequestMiddleware } from "./requestContext.ts";

/**
 * Writes one line for every request: who, what, how long, how it ended, and what it asked of the table. Only what is named here
 * is logged: no header, no query, no body.
 */
export function requestLog(operationId: string): RequestMiddleware {
  const log = (event: APIGatewayProxyEvent, context: RequestContext, response?: APIGatewayProxyResult | null) =>
    logger.info("request", {
      request_id: event.requestContext.requestId,
      operation_id: operationId,
      ...context.caller?.logged,
      status: response?.statusCode,
      duration_ms: Math.round((performance.now() - context.startedMs) * 100) / 100,
      dynamodb: { calls: context.usage.calls, capacity_units: context.usage.capacityUnits },
    });
  return {
    after: ({ event, context, response }) => log(event, context, response),
    onError: ({ event, context, response }) => log(event, context, response),
  };
}
