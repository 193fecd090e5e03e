import { once } from "node:events";
import { connect } from "node:net";
import { UsageError } from "./usageError.ts";

/** A client may resolve `localhost` to either. */
const addresses = ["127.0.0.1", "::1"];

/**
 * Listening on one address does not show that the port is free: another program may listen on the other and receive some of the
 * requests.
 *
 * @throws UsageError if a program listens on either address.
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
