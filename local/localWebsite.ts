import type { IncomingMessage } from "node:http";
import {
  developerAreaContentSecurityPolicy,
  pageConfiguration,
  pageConfigurationPath,
} from "@ticketing/developer-area";
import type { GatewayAnswer } from "@ticketing/local-aws/gateway";
import { referenceContentSecurityPolicy } from "@ticketing/reference";
import type { SignInSettings } from "../functions/people/signInSettings.ts";
import { clientPackages } from "../lib/website/clientPackages.ts";
import { developerAreaSite, referenceSite } from "../lib/website/sites.ts";
import {
  emptyContentSecurityPolicy,
  redirects,
  securityHeaders,
  type WebsiteFile,
  websiteFile,
} from "../lib/website/websiteFile.ts";

interface Page {
  files: Map<string, WebsiteFile>;
  contentSecurityPolicy: string;
}

/** Serves the website's files and redirects as its distribution does. Returns undefined for every other request. */
export function localWebsite(signIn: SignInSettings, baseUrl: string) {
  // Each page is read or built on its first request, so that it does not delay the start.
  let reference: Page | undefined;
  let developerArea: Promise<Page> | undefined;
  let clients: ReturnType<typeof clientPackages> | undefined;
  return async ({ method, url = "/" }: IncomingMessage): Promise<GatewayAnswer | undefined> => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const [path = "/"] = url.split("?");
    // Making the reference page would delay the first request to the API.
    if (/^\/(v1|admin)\//.test(path)) return undefined;
    const redirect = redirects.get(path);
    if (redirect) return redirectTo(redirect.location + url.slice(path.length), redirect.status);
    if (/^\/developer(\/|$)/.test(path)) {
      developerArea ??= buildDeveloperArea(signIn);
      return answerOf(await developerArea, path);
    }
    if (path.startsWith("/clients/")) {
      clients ??= clientPackages({ baseUrl });
      const contentSecurityPolicy = referenceContentSecurityPolicy;
      return answerOf({ files: byPath(await clients), contentSecurityPolicy }, path);
    }
    reference ??= { files: byPath(referenceSite({ baseUrl })), contentSecurityPolicy: referenceContentSecurityPolicy };
    return answerOf(reference, path);
  };
}

async function buildDeveloperArea(signIn: SignInSettings): Promise<Page> {
  const configuration = websiteFile(pageConfigurationPath, JSON.stringify(pageConfiguration(signIn)));
  return {
    files: byPath([...(await developerAreaSite()), configuration]),
    contentSecurityPolicy: developerAreaContentSecurityPolicy([new URL(signIn.issuer).origin]),
  };
}

function byPath(files: readonly WebsiteFile[]): Map<string, WebsiteFile> {
  return new Map(files.map((file) => [file.path, file]));
}

function redirectTo(location: string, statusCode: number): GatewayAnswer {
  const headers = { Location: location, ...securityHeaders(emptyContentSecurityPolicy) };
  return { statusCode, headers, body: Buffer.alloc(0) };
}

function answerOf({ files, contentSecurityPolicy }: Page, path: string): GatewayAnswer | undefined {
  const file = files.get(path);
  return (
    file && {
      statusCode: 200,
      headers: {
        "Content-Type": file.contentType,
        "Cache-Control": file.cacheControl,
        ...securityHeaders(contentSecurityPolicy),
      },
      body: Buffer.from(file.body),
    }
  );
}
