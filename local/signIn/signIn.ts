import type { IncomingMessage, ServerResponse } from "node:http";
import { clientId, openIdProvider } from "./openIdProvider.ts";

const mount = "/sign-in";
const page = "/developer";

/** The sign-in of the local service; deployed, Amazon Cognito takes its place. */
export interface SignIn {
  issuer: string;
  clientId: string;
  /** Answers a request of the sign-in; false, and nothing done, for every other request. */
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/** Starts the sign-in below `/sign-in`, with keys of its own, for the page at `/developer`. */
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
      // The sign-in returns to one address only, so whoever opened the page by another name of this machine is sent there.
      outgoing.writeHead(307, { Location: baseUrl + url }).end();
      return true;
    }
    if (!isSignIn) return false;
    // The provider finds out where it is mounted from what the path was before.
    void answer(Object.assign(incoming, { originalUrl: url, url: url.slice(mount.length) }), outgoing);
    return true;
  };
  return { issuer, clientId, handle };
}
