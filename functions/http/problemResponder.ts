import { logger } from "./logger.ts";
import { problemResponse, toProblem } from "./problem.ts";
import type { RequestMiddleware } from "./requestContext.ts";

/** Answers whatever was thrown with its problem. What is not the client's doing is logged with its cause. */
export function problemResponder(operationId: string): RequestMiddleware {
  return {
    onError: (request) => {
      const problem = toProblem(request.error);
      const requestId = request.event.requestContext.requestId;
      if (problem.cause !== undefined) {
        const error = problem.cause instanceof Error ? problem.cause : new Error(String(problem.cause));
        logger.error(problem.message, { request_id: requestId, operation_id: operationId, error });
      }
      request.response = problemResponse(problem, requestId);
    },
  };
}
