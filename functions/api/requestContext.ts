import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { Problem } from "../problem.ts";
import type { TableUsage } from "../table/table.ts";

/** The facts about a request that the log reports. */
export interface RequestFacts {
  /** The start, by `performance.now()`. */
  startedMs: number;
  usage: TableUsage;
  /** The error that the client gets, if it gets one. */
  problem?: Problem;
  /** Log fields about the caller; empty until the caller is known. */
  caller: Record<string, unknown>;
}

export type RequestContext = Context & RequestFacts;

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;

/** Initialises the request's facts. Replaces null headers, which the gateway's console sends. */
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
