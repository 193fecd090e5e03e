import type { IncomingMessage, ServerResponse } from "node:http";
import { clientId, openIdProvider } from "./openIdProvider.ts";

const mount = "/sign-in";
const page = "/developer";

/** The local service's sign-in, in place of Amazon Cognito. */
export interface SignIn {
  issuer: string;
  clientId: string;
  /** Handles a sign-in request. Returns false for every other request. */
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/** Starts the sign-in at `/sign-in` for the page at `/developer`. */
export async function startSignIn(baseUrl: string): Promise<SignIn> {
  const { host } = new URL(baseUrl);
  const issuer = baseUrl + mount;
  const provider = await openIdProvider(issuer, baseUrl + page);
  const answer = provider.callback();
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = "/" } = incoming;
    const isSignIn = url.startsWith(`${mount}/`);
    if (!isSignIn && url.split(/[/?]/)[1] !== page.slice(1)) return false;
    if (incoming.headers.host !== host) {
      // The sign-in returns to one host only, so requests to any other name of this machine are redirected to it.
      outgoing.writeHead(307, { Location: baseUrl + url }).end();
      return true;
    }
    if (!isSignIn) return false;
    // The provider derives its mount path from originalUrl.
    void answer(Object.assign(incoming, { originalUrl: url, url: url.slice(mount.length) }), outgoing);
    return true;
  };
  return { issuer, clientId, handle };
}
