import * as z from "zod";
import { Problem } from "../problem.ts";
import type { Resource } from "../resources/resource.ts";
import { openTable, type Table, type TableAction } from "../table/table.ts";
import type { Caller } from "./callers.ts";
import { EntityTags, exampleTag } from "./entityTag.ts";
import { parseBody, parseHeaders, parseParams, parseQuery, type SentBody } from "./parseRequest.ts";
import type { RequestFacts } from "./requestContext.ts";
import { type ErrorResponse, Reply } from "./response.ts";
import type { Tag } from "./tags.ts";

/** An endpoint's declaration. Gateway, grants, OpenAPI document, local service and common tests derive from it. */
export interface Declaration<Params, Query, Headers, Body, Response> {
  /** Names the endpoint's file, function, OpenAPI operation and log lines. */
  operationId: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Contains `{name}` for each member of `params`. */
  path: `/${string}`;
  tag: Tag;
  summary: string;
  description?: string;
  /** The part of the table that the function may use, with the actions below. */
  tableAccess:
    | "organisationData"
    | "readSummaries"
    | "assistants"
    | "balanceRecording"
    | "orderNotes"
    | "keyAdministration"
    | "keyFailures"
    | "webhookAdministration";
  /** The table actions that the function may use; none by default. */
  table?: readonly TableAction[];
  params?: z.ZodObject & z.ZodType<Params>;
  query?: z.ZodObject & z.ZodType<Query>;
  /** Names are in lower case. */
  headers?: z.ZodObject & z.ZodType<Headers>;
  /** The request's JSON body; by default see {@link bodyOf}. The schema's examples become the document's. */
  body?: z.ZodObject & z.ZodType<Body>;
  /** The status of a success; 200 by default. 204 has no body. */
  status?: 200 | 201 | 204;
  /** The body of a success, or a function that makes its schema for the document, whose examples are in the schema's metadata. */
  response: z.ZodType<Response> | (() => z.ZodType<Response>);
  /** The description of a 409 response. */
  conflict?: string;
  /** A further error, with its description. */
  refusal?: { when: string; problem: Problem };
  /** Names of further headers on this endpoint's success. */
  responseHeaders?: readonly string[];
  /** True if the response contains a secret, which no cache may store. */
  isSecret?: boolean;
  /** True if the function gets the stage's rate limits. */
  limits?: boolean;
  /** True if the function may compute the signing secrets of webhooks. */
  signs?: boolean;
  /** True if the function may wake webhooks. */
  wakes?: boolean;
  /** The function's timeout, if it waits for another server; below the gateway's 29 s. */
  timeoutMs?: number;
  /** Renders an error for clients that do not read problems (RFC 9457). */
  renderError?: (response: ErrorResponse, problem: Problem, sentBody: string | null) => ErrorResponse;
  /** Its part of a tool for assistants; every read of an API key's holder has one. */
  tool?: ToolPart;
  /** Dates between which the endpoint is deprecated, at least a year apart (docs/integrators/guides/basics.md). */
  deprecation?: { since: Date; sunset: Date };
}

/** The share of one read operation in a tool for assistants: operations with the same `name` are one tool (functions/mcp/tools.ts). */
export interface ToolPart {
  name: string;
  /** The argument that selects this operation: a required parameter, or the name that the path's id gets. By default, it needs none. */
  argument?: string;
  /** The resource of the response or of its rows, which have a short form; or changes of all types. */
  resource?: Resource | "changes";
  /** Facts that an assistant needs beside the summary. They never ask for an action, because the assistant might obey. */
  hint?: string;
}

/** HEAD is answered by GET's function (RFC 9110, section 9.3.2). */
export function methodsOf({ method }: Pick<Endpoint, "method">): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

interface RawRequest {
  authorizer: unknown;
  pathParameters: Record<string, string | undefined>;
  queryParameters: Record<string, string[] | undefined>;
  /** Names are in lower case. */
  headers: Record<string, string | undefined>;
  /** The names of headers with a single value that were sent more than once. */
  repeatedHeaders: readonly string[];
  body: SentBody;
  baseUrl: string;
}

export interface Endpoint extends Omit<Declaration<unknown, unknown, unknown, unknown, unknown>, "response"> {
  response: z.ZodType;
  caller: Pick<Caller<never>, "scheme" | "scope">;
  /**
   * Identifies the caller, checks their permission, parses the request and runs the endpoint.
   * @param facts receives the caller and the table usage, for the log.
   * @throws Problem if the request is refused.
   * @throws ZodError if the authorizer's context is missing or invalid.
   */
  answer: (request: RawRequest, facts: RequestFacts) => Promise<Reply<unknown>>;
}

type Factories = Record<string, (organisationId: number, table: Table) => unknown>;
type Opened<Repositories extends Factories> = { [Name in keyof Repositories]: ReturnType<Repositories[Name]> };

/** @param run gets the parsed request and the declared repositories of the caller's organisation; returns the body, or a {@link Reply} with headers. */
export function endpoint<Params, Query, Headers, Body, Response, Principal, Repositories extends Factories>(
  declaration: Declaration<Params, Query, Headers, Body, Response> & {
    caller: Caller<Principal>;
    repositories?: Repositories;
  },
  run: (
    request: { params: Params; query: Query; headers: Headers; body: Body; principal: Principal; baseUrl: string },
    repositories: Opened<Repositories>,
    facts: RequestFacts,
  ) => Response | Reply<Response> | Promise<Response | Reply<Response>>,
): Endpoint {
  const { caller, repositories, query = nothing, params = nothing } = declaration;
  const { headers = declaration.method === "GET" ? readHeaders : nothing } = declaration;
  const body = bodyOf(declaration);
  let { response } = declaration;
  return {
    ...declaration,
    headers,
    get response() {
      if (typeof response === "function") response = response();
      return response;
    },
    async answer(request, facts) {
      const principal = caller.principal.parse(request.authorizer);
      facts.caller = caller.logged(principal);
      refuse(request.repeatedHeaders, "May be sent only once.");
      const organisationId = caller.organisationOf(principal);
      const parsed = {
        query: parseQuery(query, request.queryParameters),
        params: parseParams(params, request.pathParameters),
        headers: headersOf(headers, request.headers),
        body:
          body && !(body === noMembers && isMissing(request.body)) ? parseBody(body, request.body) : nothing.parse({}),
        principal,
        baseUrl: request.baseUrl,
      };
      const result = await run(parsed, openRepositories(repositories, organisationId, openTable(facts.usage)), facts);
      return result instanceof Reply ? result : new Reply(result);
    },
  };
}

/** Refuses a condition that the operation does not check, because the client relies on it. @throws Problem `invalid_request` */
function headersOf<Headers>(schema: z.ZodObject & z.ZodType<Headers>, sent: RawRequest["headers"]): Headers {
  const isUnchecked = (name: string) => sent[name] !== undefined && !Object.hasOwn(schema.shape, name);
  refuse(["if-match", "if-none-match"].filter(isUnchecked), "This operation does not check this condition.");
  return parseHeaders(schema, sent);
}

function refuse(headers: readonly string[], detail: string): void {
  const errors = headers.map((parameter) => ({ parameter, detail }));
  if (errors.length > 0) throw new Problem("invalid_request", "The request has invalid headers.", { errors });
}

/** Generated Java clients send `null` instead of no body. */
function isMissing({ text }: SentBody): boolean {
  // This also removes a byte order mark.
  return !text || text.trim() === "null";
}

/**
 * The schema of a request's body; undefined if a body is ignored. A POST without a declared body accepts no members: the client may rely on one
 * as a condition of an irreversible action.
 */
export function bodyOf<Body>({ method, body }: Pick<Declaration<never, never, never, Body, never>, "method" | "body">) {
  return body ?? (method === "POST" ? noMembers : undefined);
}

/** Creates repositories for one organisation. Endpoints have no other access to the table, so every query has an organisation. */
function openRepositories<Repositories extends Factories>(
  factories: Repositories | undefined,
  organisationId: number,
  table: Table,
): Opened<Repositories> {
  const opened = Object.entries(factories ?? {}).map(([name, make]) => [name, make(organisationId, table)]);
  // Object.fromEntries loses the types of the individual members.
  return Object.fromEntries(opened) as Opened<Repositories>;
}

/** The schema for any part that an endpoint does not declare. `never` fits: `run` does not use the value. */
const nothing = z.object({}) as z.ZodObject & z.ZodType<never>;
const noMembers = z.strictObject({}) as z.ZodObject & z.ZodType<never>;

/** Reads accept it. The handler compares the tags with the response's ETag. */
const condition: z.ZodObject = z.object({
  "if-none-match": EntityTags.meta({
    description: "The `ETag` of an earlier response. If the response would be the same, you get 304 without a body.",
    examples: [exampleTag],
  }),
});
const readHeaders = condition as z.ZodObject & z.ZodType<never>;
