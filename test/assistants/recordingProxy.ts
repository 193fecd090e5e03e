import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "@ticketing/local-aws/gateway";
import { listen } from "../support/http/listen.ts";

interface RecordedRequest {
  /** The HTTP method, and a message's own method. */
  method: string;
  status: number;
}

/** A proxy that records clients' requests. It adds the key, because some clients cannot send one. */
export async function recordingProxy(target: string, key: string) {
  const recorded: RecordedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    const answer = await pass(target, incoming, key, body);
    const { method } = body === "" ? {} : JSON.parse(body);
    recorded.push({ method: [incoming.method, method].join(" ").trim(), status: answer.statusCode ?? 0 });
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  await listen(server);
  return {
    baseUrl: `http://localhost:${portOf(server)}`,
    /** The requests since the last call. */
    take: () => recorded.splice(0),
  };
}

async function pass(target: string, { method, url = "", headers }: IncomingMessage, key: string, body: string) {
  const sent = { authorization: `Bearer ${key}`, ...headers };
  const outgoing = request(target + url, { method, headers: sent }).end(body);
  const [answer]: IncomingMessage[] = await once(outgoing, "response");
  if (!answer) throw new Error("No response.");
  return answer;
}
