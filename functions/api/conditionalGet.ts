import { entityTag, matchesEntityTag } from "../resources/entityTag.ts";
import type { RequestMiddleware } from "./requestContext.ts";

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
      // Keep the Content-Type: the gateway would otherwise add its own, and a cache would store that with the body it has.
      response.statusCode = 304;
      response.body = "";
    },
  };
}
