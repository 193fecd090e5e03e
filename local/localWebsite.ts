import type { IncomingMessage } from "node:http";
import type { SignInSettings } from "../functions/auth/signInSettings.ts";
import { developerAreaContentSecurityPolicy } from "../web/developerArea/developerAreaContentSecurityPolicy.ts";
import { pageConfiguration, pageConfigurationPath } from "../web/developerArea/pageConfiguration.ts";
import { referenceContentSecurityPolicy } from "../web/reference/referenceContentSecurityPolicy.ts";
import { referenceFiles } from "../web/reference/referenceFiles.ts";
import { json, revalidated, type WebsiteFile } from "../web/websiteFile.ts";
import type { GatewayAnswer } from "./gateway/gateway.ts";

/** Files by path. */
interface Page {
  files: Map<string, WebsiteFile>;
  contentSecurityPolicy: string;
}

/**
 * Serves the website's files as its distribution does. Returns undefined for every request that is not a GET or HEAD of a file.
 */
export function localWebsite(signIn: SignInSettings) {
  // Each page is read or built on its first request, so that it does not delay the start.
  let reference: Page | undefined;
  let developerArea: Promise<Page> | undefined;
  return async ({ method, url = "/" }: IncomingMessage): Promise<GatewayAnswer | undefined> => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const [path = "/"] = url.split("?");
    if (/^\/developer(\/|$)/.test(path)) {
      developerArea ??= buildDeveloperArea(signIn);
      return answerOf(await developerArea, path);
    }
    reference ??= { files: byPath(referenceFiles()), contentSecurityPolicy: referenceContentSecurityPolicy };
    return answerOf(reference, path);
  };
}

async function buildDeveloperArea(signIn: SignInSettings): Promise<Page> {
  // The bundler is also loaded only when it is needed.
  const { developerAreaFiles } = await import("../web/developerArea/developerAreaFiles.ts");
  const body = JSON.stringify(pageConfiguration(signIn));
  const configuration = { path: pageConfigurationPath, contentType: json, body, cacheControl: revalidated };
  return {
    files: byPath([...(await developerAreaFiles()), configuration]),
    contentSecurityPolicy: developerAreaContentSecurityPolicy([new URL(signIn.issuer).origin]),
  };
}

function byPath(files: readonly WebsiteFile[]): Map<string, WebsiteFile> {
  return new Map(files.map((file) => [file.path, file]));
}

function answerOf({ files, contentSecurityPolicy }: Page, path: string): GatewayAnswer | undefined {
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
