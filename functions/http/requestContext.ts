import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { Principal } from "../auth/principal.ts";
import type { TableUsage } from "../data/table.ts";

/** Lambda's context, and what is known of the request while it runs. */
export interface RequestContext extends Context {
  startedMs: number;
  usage: TableUsage;
  principal: Principal;
}

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;

/** Notes when the request began and, from what the authorizer passed on, who calls. */
export function requestContext(): RequestMiddleware {
  return {
    before: ({ event, context }) => {
      context.startedMs = performance.now();
      context.usage = { calls: {}, capacityUnits: 0 };
      context.principal = Principal.parse(event.requestContext.authorizer);
    },
  };
}
