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

/** Initialises the request's facts. */
export function requestContext(): RequestMiddleware {
  return {
    before: ({ context }) => {
      context.startedMs = performance.now();
      context.usage = { calls: {}, capacityUnits: 0 };
      context.caller = {};
    },
  };
}

/** The headers that the service reads and that have a single value. Another reader of the request may have used the other line. */
const singleHeaders = ["authorization", "content-type", "idempotency-key"];

/**
 * Gives each header one value, by its lower-case name: several lines are one list (RFC 9110, section 5.3), of which the gateway's `headers`
 * have only the last.
 */
export function combinedHeaders(): RequestMiddleware {
  return {
    before: ({ event, context }) => {
      const lines: Record<string, string[]> = Object.create(null);
      for (const [name, values = []] of Object.entries(sentHeaders(event))) {
        const key = name.toLowerCase();
        lines[key] = [...(lines[key] ?? []), ...values];
      }
      context.repeatedHeaders = singleHeaders.filter((name) => (lines[name]?.length ?? 0) > 1);
      event.headers = Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.join(", ")]));
    },
  };
}

/** Every line of each header. The gateway's console sends null instead of no headers. */
function sentHeaders({ multiValueHeaders, headers }: APIGatewayProxyEvent): APIGatewayProxyEvent["multiValueHeaders"] {
  if (multiValueHeaders) return multiValueHeaders;
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name, value === undefined ? [] : [value]]),
  );
}
