import { inspect } from "node:util";
import { logger } from "../log/logger.ts";
import { toProblem } from "../problem.ts";
import { problemResponse } from "./problemResponse.ts";
import type { RequestMiddleware } from "./requestContext.ts";

/**
 * Turns a thrown value into an error that Middy's http-error-handler, which runs next, renders as the response. Logs the cause, if
 * the problem has one.
 */
export function problemHandler(operationId: string): RequestMiddleware {
  return {
    onError: (request) => {
      const problem = toProblem(request.error);
      request.context.code = problem.code;
      const requestId = request.event.requestContext.requestId;
      if (problem.cause !== undefined) {
        const error = problem.cause instanceof Error ? problem.cause : new Error(describe(problem.cause));
        const function_request_id = request.context.awsRequestId;
        logger.error(problem.message, { request_id: requestId, function_request_id, operation_id: operationId, error });
      }
      const { statusCode, headers, body } = problemResponse(problem, requestId);
      request.error = Object.assign(new Error(body), { statusCode, headers, expose: true });
    },
  };
}

/** Describes an object only by its type: its members may be personal data, and its own toString() may fail. */
function describe(thrown: unknown): string {
  return inspect(thrown, { depth: -1, customInspect: false });
}
