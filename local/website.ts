import type { IncomingMessage } from "node:http";
import { contentSecurityPolicy, type WebsiteFile, websiteFiles } from "../web/reference/website.ts";
import type { GatewayAnswer } from "./gateway/gateway.ts";

let files: Map<string, WebsiteFile> | undefined;

/** Answers a GET or HEAD of the website's files as its distribution does; undefined for every other request. */
export function website({ method, url = "/" }: IncomingMessage): GatewayAnswer | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  // Read at the first request, so that the service starts no later for it.
  files ??= new Map(websiteFiles().map((file) => [file.path, file]));
  const [path = "/"] = url.split("?");
  const file = files.get(path);
  return (
    file && {
      statusCode: 200,
      headers: {
        "Content-Type": file.contentType,
        "Cache-Control": file.cacheControl,
        "Content-Security-Policy": contentSecurityPolicy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
      },
      body: Buffer.from(file.body),
    }
  );
}
