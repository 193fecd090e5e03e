import * as z from "zod";
import type { Principal, Scope } from "../auth/principal.ts";
import type { Repositories } from "../data/repositories.ts";
import type { TableAction } from "../data/table.ts";
import { parseParams, parseQuery } from "./parseRequest.ts";

/** Who may call an endpoint: here, whoever holds an API key with the scope. */
export interface Caller {
  scheme: "apiKey";
  scope: Scope;
}

/** The holder of an API key that has this scope. */
export function apiKey(scope: Scope): Caller {
  return { scheme: "apiKey", scope };
}

/** What an endpoint says of itself. Gateway, grants, OpenAPI document, local service and common tests derive from it. */
export interface Declaration<Params, Query, Response> {
  /** The endpoint's name everywhere: its file, its function, its OpenAPI operation, its log lines. */
  operationId: string;
  method: "GET" | "POST" | "PATCH";
  /** With `{name}` where `params` has a member of that name. */
  path: `/${string}`;
  summary: string;
  description?: string;
  caller: Caller;
  /** What the function may do to the table; nothing where left out. */
  table?: readonly TableAction[];
  params?: z.ZodObject & z.ZodType<Params>;
  query?: z.ZodObject & z.ZodType<Query>;
  /** The body of a success. Its examples, in its metadata, become the document's. */
  response: z.ZodType<Response>;
}

/** A request as the gateway tells it, not yet parsed. */
export interface RawRequest {
  principal: Principal;
  pathParameters: Record<string, string | undefined>;
  queryParameters: Record<string, string[] | undefined>;
}

export interface Endpoint extends Declaration<unknown, unknown, unknown> {
  /**
   * Parses a request, runs the endpoint on it and returns the response's body.
   * @throws Problem
   */
  answer: (request: RawRequest, repositories: Repositories) => Promise<unknown>;
}

/**
 * Declares an endpoint and what it does.
 *
 * @param run gets the parsed request and the repositories of the caller's organisation, and returns the response's body.
 */
export function endpoint<Params, Query, Response>(
  declaration: Declaration<Params, Query, Response>,
  run: (
    request: { params: Params; query: Query; principal: Principal },
    repositories: Repositories,
  ) => Response | Promise<Response>,
): Endpoint {
  const { query = nothing, params = nothing } = declaration;
  return {
    ...declaration,
    async answer({ principal, pathParameters, queryParameters }, repositories) {
      return run(
        {
          query: parseQuery(query, queryParameters),
          params: parseParams(params, pathParameters),
          principal,
        },
        repositories,
      );
    },
  };
}

/** Stands for what an endpoint does not declare: it takes nothing, and what is parsed from it is never looked at. */
const nothing = z.object({}) as z.ZodObject & z.ZodType<never>;
