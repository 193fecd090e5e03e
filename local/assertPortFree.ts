import { once } from "node:events";
import { connect } from "node:net";
import { UsageError } from "./usageError.ts";

/** What a client may take `localhost` for. */
const addresses = ["127.0.0.1", "::1"];

/**
 * Makes sure that nobody serves the port on any address of this machine's own. To listen on one of them would not tell: another
 * program could have the same port on the other, and answer some of the clients.
 *
 * @throws UsageError where somebody does.
 */
export async function assertPortFree(port: number): Promise<void> {
  const taken = await Promise.all(addresses.map((host) => accepts(host, port)));
  if (taken.includes(true)) {
    throw new UsageError(`Port ${port} is taken. Choose another: npm start -- --port N, or 0 for a free one.`);
  }
}

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
