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
  /** Whether the response repeats that of an earlier request. */
  isReplayed?: boolean;
  /** Log fields about the caller; empty until the caller is known. */
  caller: Record<string, unknown>;
}

/** The headers with a single value that were sent more than once. */
interface Headers {
  repeatedHeaders: readonly string[];
}

export type RequestContext = Context & RequestFacts & Headers;

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;
