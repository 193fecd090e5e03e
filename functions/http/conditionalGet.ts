import type { MiddlewareObj } from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { entityTag, matchesEntityTag } from "../resources/entityTag.ts";

/** Methods that respond with the current resource. */
const representing = new Set(["GET", "PATCH"]);

/** Gives every response that shows a resource an ETag, and answers a GET with 304 and no body if the client has that body already. */
export function conditionalGet(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    after: ({ event, response }) => {
      if (!response || !representing.has(event.httpMethod) || response.statusCode !== 200) return;
      const tag = entityTag(response.body);
      response.headers = { ...response.headers, ETag: tag };
      const ifNoneMatch = event.headers["if-none-match"];
      if (event.httpMethod !== "GET" || ifNoneMatch === undefined || !matchesEntityTag(ifNoneMatch, tag)) return;
      // The Content-Type stays: without it the gateway would add another one, which a cache would keep for the body that it has.
      response.statusCode = 304;
      response.body = "";
    },
  };
}
