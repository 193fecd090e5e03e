import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";

const Page = z.object({ pagination: z.object({ next_cursor: z.string().nullable() }) });

/**
 * The `Link` header (RFC 8288) of a page that has a next page; no header for any other body. Behind the website's distribution,
 * X-Forwarded-Host contains the host that the client used. At the gateway's own domain, the path includes the stage.
 */
export function nextLink(event: APIGatewayProxyEvent, body: unknown): Record<string, string> {
  // Only a page has this member. Making the parser's error for any other body would take 7 % of a warm request.
  if (typeof body !== "object" || body === null || !("pagination" in body)) return {};
  const { next_cursor } = Page.parse(body).pagination;
  if (next_cursor === null) return {};
  const url = new URL(publicUrl(event));
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    url.searchParams.set(name, values?.join() ?? "");
  }
  url.searchParams.set("cursor", next_cursor);
  return { Link: `<${url}>; rel="next"` };
}

function publicUrl({ headers, path, requestContext }: APIGatewayProxyEvent): string {
  const scheme = headers["x-forwarded-proto"] === "http" ? "http" : "https";
  const forwarded = originOf(scheme, headers["x-forwarded-host"] ?? "");
  return forwarded ? forwarded + path : `${scheme}://${requestContext.domainName}${requestContext.path}`;
}

/** Undefined if the host, which a client may have written, is invalid. */
function originOf(scheme: string, host: string): string | undefined {
  return /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? URL.parse(`${scheme}://${host}`)?.origin : undefined;
}
