import { once } from "node:events";
import { Agent, createServer, type RequestOptions, request } from "node:http";
import { pipeline } from "node:stream";
import { portOf } from "../../local/gateway/server.ts";

/** How many requests go on at once: the emulator keeps a process or two for each, and they share this machine. */
const maximumRequests = 4;

/**
 * Stands for CloudFront, since the emulator's brings no request to an API at an address of AWS: brings every request to the API's stage,
 * with the host that the client used in the header that the service looks at, whatever the client wrote there.
 *
 * @param stageUrl where the emulator serves the stage.
 */
export async function startDistribution(stageUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port, pathname } = new URL(stageUrl);
  // Each on a connection of its own: the emulator closes one that was quiet for some seconds, just when another request may be on its way.
  const agent = new Agent({ keepAlive: false, maxSockets: maximumRequests });
  const server = createServer((incoming, outgoing) => {
    const { url = "", method } = incoming;
    const { host, ...others } = incoming.headers;
    const headers = { ...others, "x-forwarded-host": host, "x-forwarded-proto": "http" };
    const path = pathname.replace(/\/$/, "") + url;
    const onwards = url.startsWith("/") ? requestOf({ agent, hostname, port, path, method, headers }) : undefined;
    if (onwards === undefined) return outgoing.writeHead(400).end();
    onwards.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing, () => undefined);
    });
    // A client that goes away leaves no request behind.
    pipeline(incoming, onwards, (error) => error && outgoing.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, stop };
}

/** The request, or nothing where a client sent what cannot be sent on. */
function requestOf(options: RequestOptions) {
  try {
    return request(options);
  } catch {
    return undefined;
  }
}
