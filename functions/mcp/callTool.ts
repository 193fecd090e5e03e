import { problemBody, toProblem } from "../api/problemResponse.ts";
import type { RequestFacts } from "../api/requestContext.ts";
import { ApiKeyPrincipal } from "../keys/apiKeyPrincipal.ts";
import { problemCodes } from "../problem.ts";
import { callOperation } from "./callOperation.ts";
import { argumentsOf, ignoredArguments, operationOf, type Tool } from "./tools.ts";

/** The endpoint of the protocol, for the log line of a call that selects no operation. */
export const route = { operationId: "mcp", method: "POST", path: "/mcp" } as const;

export interface Context {
  principal: ApiKeyPrincipal;
  baseUrl: string;
  facts: RequestFacts;
}

/**
 * @returns the API's own JSON, or its problem with `isError` if the request is refused.
 * @throws Problem if the service fails: 5xx statuses belong to the HTTP response, where alarms and clients expect them.
 */
export async function callTool(tool: Tool, values: Record<string, unknown>, context: Context): Promise<object> {
  const { facts, baseUrl } = context;
  const ignored = ignoredArguments(tool, values);
  facts.called = { operation: { ...route, query: { shape: argumentsOf(tool) } }, path: route.path };
  try {
    const { operation, pathParameters, queryParameters } = operationOf(tool, values);
    const path = operation.path.replace("{id}", pathParameters.id ?? "");
    facts.called = { operation, path };
    const request = {
      authorizer: ApiKeyPrincipal.encode(context.principal),
      pathParameters,
      queryParameters,
      headers: {},
      repeatedHeaders: [],
      body: { contentType: undefined, text: null },
      baseUrl,
    };
    return resultOf(await callOperation(operation, request, facts), ignored);
  } catch (error) {
    const problem = toProblem(error);
    if (problemCodes[problem.code].status >= 500) throw error;
    facts.called.problem = problem;
    const { request_id: _, ...body } = problemBody(problem.code, problem.message, "", problem.members);
    return { ...resultOf(body, ignored), isError: true };
  }
}

function resultOf(body: object, ignored?: string): object {
  const texts = [JSON.stringify(body), ...(ignored === undefined ? [] : [ignored])];
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent: { ...body } };
}
