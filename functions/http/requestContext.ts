import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { TableUsage } from "../data/table.ts";
import type { Endpoint, IdentifiedCaller } from "./endpoint.ts";

/** Lambda's context, and what is known of the request while it runs. */
export interface RequestContext extends Context {
  startedMs: number;
  usage: TableUsage;
  caller: IdentifiedCaller;
}

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;

/** Notes when the request began and, from what the authorizer passed on, who calls. */
export function requestContext(endpoint: Endpoint): RequestMiddleware {
  return {
    before: ({ event, context }) => {
      context.startedMs = performance.now();
      context.usage = { calls: {}, capacityUnits: 0 };
      context.caller = endpoint.identify(event.requestContext.authorizer);
    },
  };
}
