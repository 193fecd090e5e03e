import { connect } from "node:net";
import { baseUrl } from "../service/journeyService.ts";
import { type Answer, answerTimeoutMs } from "./send.ts";

const { hostname: host, port } = new URL(baseUrl);

/**
 * Sends bytes, which may be anything, and returns the first response. It throws if no response comes or the connection does not end.
 */
export function sendRaw(bytes: Buffer): Promise<Answer> {
  return new Promise((settle, fail) => {
    const socket = connect({ host, port: Number(port) });
    const received: Buffer[] = [];
    socket.setTimeout(answerTimeoutMs, () => fail(new Error("The connection does not end.")));
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    // A server that refuses a request may close before it has read all of it; its response still counts.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const answer = parse(Buffer.concat(received), bytes.subarray(0, 5).toString() !== "HEAD ");
      if (answer) settle(answer);
      else fail(new Error("No answer."));
    });
    socket.write(bytes);
  });
}

function parse(bytes: Buffer, hasBody: boolean): Answer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(statusLine) ?? [];
  if (status === undefined) return undefined;
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const body = bytes.subarray(end + 4);
  if (!hasBody) return { status: Number(status), headers, body: Buffer.alloc(0) };
  const length = headers["transfer-encoding"] === "chunked" ? body.indexOf("0\r\n\r\n") : headers["content-length"];
  return { status: Number(status), headers, body: body.subarray(0, Number(length ?? 0)) };
}
