import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { maximumMessageBytes } from "../../functions/feed/queue.ts";
import { logger } from "../../functions/log/logger.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { readBody } from "../gateway/readBody.ts";
import { portOf } from "../gateway/server.ts";
import type { MemoryQueue } from "./memoryQueue.ts";
import { sqsActions } from "./sqsActions.ts";
import { SqsError } from "./sqsError.ts";
import { tooLarge } from "./sqsMessage.ts";

/** The largest message with every byte escaped in JSON, plus its envelope. Larger requests are not kept in memory. */
const maximumRequestBytes = 6 * maximumMessageBytes + 64 * 1024;

const Input = z.object({ QueueUrl: z.string() });

/**
 * Serves queues over SQS's JSON protocol on the loopback interface. Signatures are not checked.
 *
 * @param queues by URL path.
 * @returns the server's URL; `stop` also ends pending requests.
 */
export async function startSqsServer(queues: ReadonlyMap<string, MemoryQueue>) {
  const server = createServer(async (incoming, outgoing) => {
    try {
      send(outgoing, 200, await answer(queues, incoming, outgoing));
    } catch (error) {
      sendError(outgoing, error);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, stop };
}

async function answer(queues: ReadonlyMap<string, MemoryQueue>, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = await readBody(incoming, maximumRequestBytes);
  if (!body) throw tooLarge();
  const name = /^AmazonSQS\.(\w+)$/.exec(String(incoming.headers["x-amz-target"]))?.[1] ?? "";
  const run = Object.hasOwn(sqsActions, name) ? sqsActions[name] : undefined;
  if (incoming.method !== "POST" || !run) {
    throw new SqsError("UnknownOperation", "The local queue does not support this action.");
  }
  const json = parseJson(String(body));
  if ("problem" in json) throw new SqsError("Serialization", json.problem);
  const { data: input } = Input.safeParse(json.value);
  const queue = queues.get(URL.parse(input?.QueueUrl ?? "")?.pathname ?? "");
  if (!queue) throw new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
  const leaving = new AbortController();
  outgoing.once("close", () => leaving.abort());
  return run(queue, json.value, leaving.signal);
}

function sendError(outgoing: ServerResponse, error: unknown): void {
  if (!(error instanceof SqsError)) {
    if (!outgoing.closed) logger.error("The local queue failed.", { error });
    return void outgoing.destroy();
  }
  outgoing.setHeader("x-amzn-query-error", `${error.code};Sender`);
  send(outgoing, 400, { __type: error.type, message: error.message });
}

function send(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.setHeader("x-amzn-RequestId", randomUUID());
  outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
}
