import { Agent, createServer, type RequestOptions, request } from "node:http";
import { pipeline } from "node:stream";
import { listen } from "../../support/http/listen.ts";

/** The number of concurrent requests: the emulator keeps a process or two for each, and they share this machine. */
const maximumRequests = 4;

/**
 * Replaces CloudFront, because the emulator's CloudFront cannot reach an API at an AWS address. Forwards every request to the API's stage.
 *
 * @param stageUrl returns the stage's address in the emulator, which is known only after the deployment.
 */
export async function startDistribution(stageUrl: () => string): Promise<string> {
  const agent = new Agent({ maxSockets: maximumRequests });
  const server = createServer((incoming, outgoing) => {
    const { url = "", method } = incoming;
    const { hostname, port, pathname } = new URL(stageUrl());
    const { host: _ofDistribution, ...others } = incoming.headersDistinct;
    // Each request has its own connection: the emulator may close one just when another request is on its way. Without this header, the agent
    // uses a connection again while requests wait for one.
    const headers = { ...others, connection: "close" };
    const path = pathname.replace(/\/$/, "") + url;
    const onwards = url.startsWith("/") ? requestOf({ agent, hostname, port, path, method, headers }) : undefined;
    if (onwards === undefined) return outgoing.writeHead(400).end();
    onwards.on("response", (answer) => {
      const { connection: _ofEmulator, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answered);
      pipeline(answer, outgoing, () => undefined);
    });
    // A client that disconnects leaves no request behind.
    pipeline(incoming, onwards, (error) => error && outgoing.destroy());
  });
  // As in the local gateway: after Node's default of 5 s, the next request of a client that pauses could be reset.
  server.keepAliveTimeout = 60_000;
  return listen(server);
}

/** The request, or undefined if what the client sent cannot be forwarded. */
function requestOf(options: RequestOptions) {
  try {
    return request(options);
  } catch {
    return undefined;
  }
}
