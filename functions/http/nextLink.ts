import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";

const PageWithNext = z.object({ pagination: z.object({ per_page: z.number(), next_cursor: z.string() }) });

/**
 * The `Link` header (RFC 8288) of a page that has a next one; nothing for any other body. Behind the website's distribution the
 * address that the client used is in X-Forwarded-Host; the gateway's own domain includes the stage in its path.
 */
export function nextLink(event: APIGatewayProxyEvent, body: unknown): Record<string, string> {
  const page = PageWithNext.safeParse(body);
  if (!page.success) return {};
  const url = new URL(publicUrl(event));
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    url.searchParams.set(name, values?.[0] ?? "");
  }
  url.searchParams.set("cursor", page.data.pagination.next_cursor);
  return { Link: `<${url}>; rel="next"` };
}

function publicUrl({ headers, path, requestContext }: APIGatewayProxyEvent): string {
  const scheme = headers["x-forwarded-proto"] === "http" ? "http" : "https";
  const forwarded = originOf(scheme, headers["x-forwarded-host"] ?? "");
  return forwarded ? forwarded + path : `${scheme}://${requestContext.domainName}${requestContext.path}`;
}

/** The origin that a host makes, or nothing where a client wrote what is no host. */
function originOf(scheme: string, host: string): string | undefined {
  return /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? URL.parse(`${scheme}://${host}`)?.origin : undefined;
}
