import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import type { RequestContext, RequestMiddleware } from "./requestContext.ts";

/**
 * Writes one line for every request: who, what, how long, how it ended, and what it asked of the table. Only what is named here
 * is logged: no header, no query, no body. Its metrics stand in the same line.
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
