import { invalidQuery } from "../api/parseRequest.ts";
import { problemBody, toProblem } from "../api/problemResponse.ts";
import type { RequestFacts } from "../api/requestContext.ts";
import { ApiKeyPrincipal } from "../keys/apiKeyPrincipal.ts";
import { excerpt } from "../log/logger.ts";
import { type Problem, type ProblemMembers, problemCodes } from "../problem.ts";
import { callOperation } from "./callOperation.ts";
import { invalidArguments, shortened } from "./shortForm.ts";
import { operationOf } from "./toolArguments.ts";
import { argumentsOf, type Tool } from "./tools.ts";

/** The endpoint of the protocol, for the log line of a call that selects no operation. */
export const route = { operationId: "mcp", method: "POST", path: "/mcp" } as const;

export interface Context {
  principal: ApiKeyPrincipal;
  baseUrl: string;
  facts: RequestFacts;
}

/**
 * @returns the API's own JSON as one text, in the short form, or its problem with `isError` if the request is refused. There is no
 * `structuredContent`: it would repeat the text, and several frameworks give both to the model (decision 0034).
 * @throws Problem if the service fails: 5xx statuses belong to the HTTP response, where alarms and clients expect them.
 */
export async function callTool(tool: Tool, values: Record<string, unknown>, context: Context): Promise<object> {
  const { facts, baseUrl } = context;
  facts.called = { operation: { ...route, query: { shape: argumentsOf(tool) } }, path: route.path };
  try {
    const { operation, pathParameters, queryParameters, fields, ignored } = operationOf(tool, values);
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
    const notice = ignored.length > 0 && { ignored_arguments: ignored.map(excerpt).join(", ") };
    const shorten = (body: object) => shortened(body, operation.tool?.resource, fields);
    return resultOf({ ...notice, ...(await callOperation(operation, request, facts, shorten)) });
  } catch (error) {
    const problem = toProblem(error);
    if (problemCodes[problem.code].status >= 500) throw error;
    facts.called.problem = problem;
    return { ...resultOf(problemForModels(problem)), isError: true };
  }
}

function resultOf(body: object) {
  return { content: [{ type: "text", text: JSON.stringify(body) }] };
}

/** The problem with its detail first, which says by itself what is wrong with which argument. */
function problemForModels({ code, message, members }: Problem): object {
  const { title, type, request_id, ...shown } = problemBody(code, message, "", members);
  const { errors = [] }: ProblemMembers = shown;
  const named = errors.map((one) => `${"parameter" in one ? one.parameter : one.pointer}: ${one.detail}`);
  const isSaid = [invalidArguments, invalidQuery, ...errors.map(({ detail }) => detail)].includes(message);
  const hints = errors.some((one) => "parameter" in one && one.parameter === "cursor") ? [cursorHint] : [];
  const whole = [...named, ...(isSaid ? [] : [message]), ...hints].join(" ");
  const { detail: _, ...rest } = shown;
  return { detail: whole, ...rest };
}

const cursorHint =
  "The first page needs no cursor. The cursor of the next page is pagination.next_cursor, with the same other arguments.";
