import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port of this machine and returns the origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stops at once and closes open connections. */
export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Responds to every request, except those that the browser aborts when it leaves the page. */
export function serve(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): void {
  server.on("request", (request, response) => {
    answer(request, response).catch((error) => {
      if (error.code !== "ECONNRESET") throw error;
    });
  });
}
