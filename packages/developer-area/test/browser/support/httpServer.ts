import type { IncomingMessage, Server, ServerResponse } from "node:http";

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
