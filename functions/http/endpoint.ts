import * as z from "zod";
import { openTable, type TableAction } from "../data/table/table.ts";
import type { Caller } from "./callers/caller.ts";
import { type Factories, type Opened, openRepositories } from "./openRepositories.ts";
import { parseBody, parseHeaders, parseParams, parseQuery, type SentBody } from "./parseRequest.ts";
import { Reply } from "./reply.ts";
import type { RequestFacts } from "./requestContext.ts";

/** What an endpoint says of itself. Gateway, grants, OpenAPI document, local service and common tests derive from it. */
export interface Declaration<Params, Query, Headers, Body, Response> {
  /** The endpoint's name everywhere: its file, its function, its OpenAPI operation, its log lines. */
  operationId: string;
  method: "GET" | "POST" | "PATCH";
  /** With `{name}` where `params` has a member of that name. */
  path: `/${string}`;
  summary: string;
  description?: string;
  /** What the function may do to the table; nothing where left out. */
  table?: readonly TableAction[];
  params?: z.ZodObject & z.ZodType<Params>;
  query?: z.ZodObject & z.ZodType<Query>;
  /** Request headers that it looks at, by lower-case name. */
  headers?: z.ZodObject & z.ZodType<Headers>;
  /** The JSON that is sent; nothing is read of a body where left out. Its examples become the document's. */
  body?: z.ZodObject & z.ZodType<Body>;
  /** The status of a success; 200 where left out. */
  status?: 200 | 201;
  /** The body of a success. Its examples, in its metadata, become the document's. */
  response: z.ZodType<Response>;
  /** When it answers 409, if it does. */
  conflict?: string;
  /** Names of headers that only this endpoint's success has. */
  responseHeaders?: readonly string[];
  /** True where the response holds a secret: nobody may keep it, not even the client's own cache. */
  isSecret?: boolean;
}

/** A request as the gateway passes it on, not yet parsed. */
export interface RawRequest {
  /** The context that the authorizer returned. */
  authorizer: unknown;
  pathParameters: Record<string, string | undefined>;
  queryParameters: Record<string, string[] | undefined>;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: SentBody;
}

export interface Endpoint extends Declaration<unknown, unknown, unknown, unknown, unknown> {
  caller: Pick<Caller<never>, "scheme" | "scope">;
  /**
   * Identifies the caller, checks that they may call, parses the request and runs the endpoint on it.
   *
   * @param facts gets the caller and the table's usage, for the log.
   * @throws Problem for a request that is refused.
   * @throws ZodError without an authorizer's context.
   */
  answer: (request: RawRequest, facts: RequestFacts) => Promise<Reply<unknown>>;
}

/**
 * Declares an endpoint and what it does.
 *
 * @param run gets the parsed request and, opened for the caller's organisation, the repositories that the declaration names; it
 * returns the response's body, in a {@link Reply} where headers go with it.
 */
export function endpoint<Params, Query, Headers, Body, Response, Principal, Repositories extends Factories>(
  declaration: Declaration<Params, Query, Headers, Body, Response> & {
    caller: Caller<Principal>;
    repositories?: Repositories;
  },
  run: (
    request: { params: Params; query: Query; headers: Headers; body: Body; principal: Principal },
    repositories: Opened<Repositories>,
  ) => Response | Reply<Response> | Promise<Response | Reply<Response>>,
): Endpoint {
  const { caller, repositories, query = nothing, params = nothing, headers = nothing, body } = declaration;
  return {
    ...declaration,
    async answer(request, facts) {
      const principal = caller.principal.parse(request.authorizer);
      facts.caller = caller.logged(principal);
      const organisationId = caller.organisationOf(principal);
      const parsed = {
        query: parseQuery(query, request.queryParameters),
        params: parseParams(params, request.pathParameters),
        headers: parseHeaders(headers, request.headers),
        body: body ? parseBody(body, request.body) : nothing.parse({}),
        principal,
      };
      const answer = await run(parsed, openRepositories(repositories, organisationId, openTable(facts.usage)));
      return answer instanceof Reply ? answer : new Reply(answer);
    },
  };
}

/** Stands for what an endpoint does not declare: it takes nothing, and what is parsed from it is never looked at. */
const nothing = z.object({}) as z.ZodObject & z.ZodType<never>;
