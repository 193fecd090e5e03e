import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";

const PageWithNext = z.object({ pagination: z.object({ per_page: z.number(), next_cursor: z.string() }) });

/**
 * The `Link` header (RFC 8288) of a page that has a next page; no header for any other body. Behind the website's distribution,
 * X-Forwarded-Host contains the host that the client used. At the gateway's own domain, the path includes the stage.
 */
export function nextLink(event: APIGatewayProxyEvent, body: unknown): Record<string, string> {
  const page = PageWithNext.safeParse(body);
  if (!page.success) return {};
  const url = new URL(publicUrl(event));
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    url.searchParams.set(name, values?.join() ?? "");
  }
  url.searchParams.set("cursor", page.data.pagination.next_cursor);
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
