import { createHash } from "node:crypto";
import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";

/** A strong entity tag of a body: 132 bits of its SHA-256. */
export function entityTag(body: string): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/** Whether an If-None-Match header (RFC 9110, 13.1.2) names the tag. */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Gives every successful GET an ETag, and answers 304 without a body where the client has that body already. */
export function conditionalGet(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    after: ({ event, response }) => {
      if (!response || event.httpMethod !== "GET" || response.statusCode !== 200) return;
      const tag = entityTag(response.body);
      response.headers = { ...response.headers, ETag: tag };
      const ifNoneMatch = event.headers["if-none-match"];
      if (ifNoneMatch === undefined || !matchesEntityTag(ifNoneMatch, tag)) return;
      delete response.headers["Content-Type"];
      response.statusCode = 304;
      response.body = "";
    },
  };
}
