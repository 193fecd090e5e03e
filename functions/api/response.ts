import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { entityTag, matchesEntityTag } from "./entityTag.ts";
import type { RequestMiddleware } from "./requestContext.ts";

export function replayed(isReplayed: boolean): Record<string, string> {
  return isReplayed ? { "Idempotency-Replayed": "true" } : {};
}

export interface ErrorResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** A response body with headers for this response only. */
export class Reply<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;
  readonly isReplayed: boolean;
  readonly status: number | undefined;

  /** `body` is undefined for none; `status` is by default the endpoint's. `isReplayed`: an earlier request made the change. */
  constructor(body: Body, headers: Record<string, string> = {}, isReplayed = false, status?: number) {
    this.body = body;
    this.status = status;
    this.headers = { ...headers, ...replayed(isReplayed) };
    this.isReplayed = isReplayed;
  }
}

/**
 * Headers of every API response, also at the gateway's own domain. Browsers ignore Strict-Transport-Security over plain HTTP
 * (RFC 6797, section 8.1), so the local service may send it too.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
};

const Page = z.object({ pagination: z.object({ next_cursor: z.string().nullable() }) });

/** The stage variable with the service's public address. */
export const baseUrlVariable = "baseUrl";

/** The start of the first page. A cursor has its own position, so the two cannot be combined. */
const firstPageStart = "changed_since";

/** The `Link` header (RFC 8288) of a page that has a next page; no header for any other body. */
export function nextLink(event: APIGatewayProxyEvent, body: unknown): Record<string, string> {
  // Only a page has this member. Rejecting any other body with the parser would take 7 % of a warm request.
  if (typeof body !== "object" || body === null || !("pagination" in body)) return {};
  const { next_cursor } = Page.parse(body).pagination;
  if (next_cursor === null) return {};
  const url = new URL(publicUrl(event));
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (name !== firstPageStart) url.searchParams.set(name, values?.join() ?? "");
  }
  url.searchParams.set("cursor", next_cursor);
  return { Link: `<${url}>; rel="next"` };
}

function publicUrl(event: APIGatewayProxyEvent): string {
  const { path, requestContext, stageVariables } = event;
  const hasVariable = stageVariables?.[baseUrlVariable] !== undefined;
  return baseUrlOf(event) + (hasVariable ? path : requestContext.path);
}

/** Without the variable, as in the local service, the public address is the gateway's own. A gateway sets X-Forwarded-Proto itself. */
export function baseUrlOf({ headers, requestContext, stageVariables }: APIGatewayProxyEvent): string {
  const scheme = headers["x-forwarded-proto"] === "http" ? "http" : "https";
  return stageVariables?.[baseUrlVariable] ?? `${scheme}://${requestContext.domainName}`;
}

/** Methods whose response is the current resource. */
const representing = new Set(["GET", "HEAD", "PATCH"]);

/** Adds an ETag to every response that contains a resource. Responds to a GET or HEAD with 304 and no body if the client already has that body. */
export function conditionalGet(): RequestMiddleware {
  return {
    after: ({ event, response }) => {
      if (!response || !representing.has(event.httpMethod)) return;
      const tag = entityTag(response.body);
      response.headers = { ...response.headers, ETag: tag };
      const ifNoneMatch = event.headers["if-none-match"];
      if (event.httpMethod === "PATCH" || ifNoneMatch === undefined || !matchesEntityTag(ifNoneMatch, tag)) return;
      // Validating proxies would parse a body of this type. The deployed gateway adds its default, `application/json`.
      delete response.headers["Content-Type"];
      response.statusCode = 304;
      response.body = "";
    },
  };
}
