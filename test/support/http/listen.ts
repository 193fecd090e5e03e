import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";

const servers: Server[] = [];

process.once("exit", () => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Listens on a free port of this machine until the last test of the file. @returns the origin. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push(server);
  return `http://127.0.0.1:${portOf(server)}`;
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  server.close();
  return Number(port);
}
