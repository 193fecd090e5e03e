import { once } from "node:events";
import { createServer, request } from "node:http";
import { portOf } from "../../local/gateway/server.ts";

/**
 * Stands for CloudFront, which the emulator has and does not serve: brings every request to the API's stage, with the host that the client
 * used in the header that the service looks at.
 *
 * @param stageUrl where the emulator serves the stage.
 */
export async function startDistribution(stageUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port, pathname } = new URL(stageUrl);
  const server = createServer((incoming, outgoing) => {
    const { host, ...headers } = incoming.headers;
    const onwards = request(
      {
        hostname,
        port,
        path: pathname.replace(/\/$/, "") + incoming.url,
        method: incoming.method,
        headers: { ...headers, "x-forwarded-host": host, "x-forwarded-proto": "http" },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onwards.on("error", () => outgoing.destroy());
    incoming.pipe(onwards);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, stop };
}
