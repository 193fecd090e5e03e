import { createHash } from "node:crypto";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";

/** A strong entity tag of a body: 132 bits of its SHA-256. */
export function entityTag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/** Whether an If-Match header (RFC 9110, 13.1.1) names the tag: as it is, for a weak one does not say enough. */
export function isMatch(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((candidate) => candidate.trim() === tag);
}

/** Whether an If-None-Match header (RFC 9110, 13.1.2) names the tag. */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Methods that answer with the resource as it is. */
const representing = new Set(["GET", "PATCH"]);

/** Gives every answer that shows a resource an ETag, and answers a GET with 304 and no body where the client has that body already. */
export function conditionalGet(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    after: ({ event, response }) => {
      if (!response || !representing.has(event.httpMethod) || response.statusCode !== 200) return;
      const tag = entityTag(response.body);
      response.headers = { ...response.headers, ETag: tag };
      const ifNoneMatch = event.headers["if-none-match"];
      if (event.httpMethod !== "GET" || ifNoneMatch === undefined || !matchesEntityTag(ifNoneMatch, tag)) return;
      // Its Content-Type stays: the gateway gives every answer without one another, which a cache would keep for the body that it has.
      response.statusCode = 304;
      response.body = "";
    },
  };
}
