import type { IncomingMessage } from "node:http";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The reason to refuse a request with another Host header; undefined for one of loopback's names, or without the header. A page whose name
 * resolves to this machine must not reach a local server through a browser. The deployed services accept only their own names.
 */
export function foreignHost({ headers: { host } }: IncomingMessage): string | undefined {
  if (host === undefined || loopbackNames.includes(URL.parse(`http://${host}`)?.hostname ?? "")) return undefined;
  return `The Host header must be one of ${loopbackNames.join(", ")}.`;
}
