import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { failureFields } from "../log/requestLine.ts";
import type { Problem } from "../problem.ts";
import type { TableUsage } from "../table/table.ts";

/** Facts for a request's log line. */
export interface RequestFacts {
  /** The start, by `performance.now()`. */
  startedMs: number;
  usage: TableUsage;
  problem?: Problem;
  isReplayed?: boolean;
  /** Log fields about the caller; empty until the caller is known. */
  caller: Record<string, unknown>;
  /** The operation that this request called through a tool. The log reports it in place of the request's own. */
  called?: CalledOperation;
}

interface CalledOperation {
  operation: Parameters<typeof failureFields>[0] & { operationId: string; method: string };
  path: string;
  /** A failure that the client gets inside a response with status 200. */
  problem?: Problem;
}

interface Headers {
  repeatedHeaders: readonly string[];
}

export type RequestContext = Context & RequestFacts & Headers;

export type RequestMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, RequestContext>;
