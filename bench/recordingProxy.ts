import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/*
 * Stands between functions and a DynamoDB, in a process of its own, so that only their own work counts as theirs. It forwards each
 * request once, and answers its repetitions from memory. Its argument is the endpoint, its first message its own URL. To any message
 * it answers with what was exchanged since the last.
 */
const target: string = JSON.parse(process.argv[2] ?? "");

export interface Exchange {
  /** `DynamoDB_20120810.GetItem` */
  operation: string;
  request: string;
  answer: string;
}

const answers = new Map<string, Promise<{ status: number; body: string }>>();
let exchanges: Exchange[] = [];

const server = createServer(async (incoming, outgoing) => {
  const request = await text(incoming);
  const { "x-amz-target": operation = "", "x-amz-date": date = "", authorization = "" } = incoming.headers;
  const headers = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": String(operation),
    "X-Amz-Date": String(date),
    Authorization: authorization,
  };
  const known = answers.get(operation + request) ?? forward(headers, request);
  answers.set(operation + request, known);
  const { status, body } = await known;
  exchanges.push({ operation: String(operation), request, answer: body });
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0", "Content-Length": length }).end(body);
});

async function forward(headers: Record<string, string>, body: string) {
  const response = await fetch(target, { method: "POST", headers, body });
  return { status: response.status, body: await response.text() };
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});

process.on("message", () => {
  process.send?.(exchanges);
  exchanges = [];
});
// Whoever asked is gone.
process.once("disconnect", () => process.exit());
