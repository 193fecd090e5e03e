import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { TableUsage } from "../data/table/table.ts";

/** What the log reports about a request. */
export interface RequestFacts {
  /** When it began, by `performance.now()`. */
  startedMs: number;
  usage: TableUsage;
  /** What may be logged about the caller; empty until the caller is known. */
  caller: Record<string, unknown>;
}

export type RequestContext = Context & RequestFacts;

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;

/** Starts the request's facts, and gives it headers where the gateway passed on null, as its console does. */
export function requestContext(): RequestMiddleware {
  return {
    before: ({ event, context }) => {
      context.startedMs = performance.now();
      context.usage = { calls: {}, capacityUnits: 0 };
      context.caller = {};
      event.headers ??= {};
    },
  };
}
