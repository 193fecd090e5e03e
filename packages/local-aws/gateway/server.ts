import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { log } from "../log.ts";
import { UsageError } from "../usageError.ts";
import type { GatewayAnswer, Refuse } from "./gateway.ts";

const compress = promisify(gzip);

/** Returns the response, or undefined if it has written one itself. */
export type RequestHandler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<GatewayAnswer | undefined>;

interface ServerOptions {
  /** 0 for a free one. */
  port: number;
  /** For requests that Node itself does not accept. */
  refuse: Refuse;
  /** Larger bodies are compressed for clients that accept it. */
  minimumCompressionBytes: number;
}

/** Serves a handler over HTTP, compressing as API Gateway does. @throws UsageError if the port is taken. */
export async function listen(
  handle: RequestHandler,
  { port, refuse, minimumCompressionBytes }: ServerOptions,
): Promise<Server> {
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    handle(incoming, outgoing)
      .then((answer) => answer && send(incoming, outgoing, answer, minimumCompressionBytes))
      .catch((error) => {
        log.error("The local gateway failed.", { error });
        outgoing.destroy();
      });
  });
  // A client that pauses keeps its connections for this long. After Node's default of 5 s, its next request could be reset.
  server.keepAliveTimeout = 60_000;
  // Node's default 417 response has no body.
  server.on("checkExpectation", (_incoming, outgoing: ServerResponse) => {
    const { statusCode, headers, body } = refuse("UNKNOWN_EXPECTATION", randomUUID());
    outgoing
      .writeHead(statusCode, { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" })
      .end(body);
  });
  server.on("clientError", (_error, socket) => {
    const { headers, body } = refuse("BAD_REQUEST_PARAMETERS", randomUUID());
    const lines = Object.entries({ ...headers, "Content-Length": body.length, Connection: "close" });
    if (socket.writable)
      socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n${body}`);
  });
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const problem = isTaken ? `Port ${port} is taken` : `Cannot listen on port ${port} (${error})`;
    throw new UsageError(`${problem}. Choose another: npm start -- --port N, or 0 for a free one.`, { cause: error });
  }
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  return address.port;
}

async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: GatewayAnswer,
  minimumCompressionBytes: number,
): Promise<void> {
  const { statusCode, headers, body } = answer;
  if (statusCode === 304) {
    outgoing.writeHead(statusCode, headers).end();
    return;
  }
  const compressed = body.length > minimumCompressionBytes && acceptsGzip(incoming.headers["accept-encoding"]);
  // Bytes are cheaper than processor time on this machine.
  const sent = compressed ? await compress(body, { level: constants.Z_BEST_SPEED }) : body;
  const encoding = compressed ? { "Content-Encoding": "gzip" } : {};
  // Node omits the body of a response to HEAD.
  outgoing.writeHead(statusCode, { ...headers, ...encoding, "Content-Length": sent.length }).end(sent);
}

/** True if an Accept-Encoding header (RFC 9110, section 12.5.3) accepts gzip, by name or, if not named, by `*`. */
function acceptsGzip(acceptEncoding: string | string[] = ""): boolean {
  const codings = new Map(
    String(acceptEncoding)
      .toLowerCase()
      .split(",")
      .map((coding) => {
        const [name = "", weight = "q=1"] = coding.split(";").map((part) => part.trim());
        return [name, Number(weight.replace(/^q=/, ""))];
      }),
  );
  return (codings.get("gzip") ?? codings.get("*") ?? 0) > 0;
}
