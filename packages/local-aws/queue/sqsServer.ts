import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { readBody } from "../gateway/proxyEvent.ts";
import { portOf } from "../gateway/server.ts";
import { log } from "../log.ts";
import { foreignHost } from "../loopbackHost.ts";
import type { MemoryQueue } from "./memoryQueue.ts";
import {
  answeredMessage,
  assertTaken,
  bytesOf,
  maximumMessageBytes,
  named,
  receiptOf,
  SentMessage,
  SqsError,
  sentOf,
  tooLarge,
} from "./sqsMessage.ts";

/** The largest message with every byte escaped in JSON, plus its envelope. Larger requests are not kept in memory. */
const maximumRequestBytes = 6 * maximumMessageBytes + 64 * 1024;

const Input = z.object({ QueueUrl: z.string().optional(), SourceArn: z.string().optional() });

/**
 * Serves queues over SQS's JSON protocol on the loopback interface. Signatures are not checked.
 * @param queues by URL path.
 * @returns the server's URL; `stop` also ends pending requests.
 */
export async function startSqsServer(queues: ReadonlyMap<string, MemoryQueue>) {
  const server = createServer(async (incoming, outgoing) => {
    try {
      respond(outgoing, 200, await answer(queues, incoming, outgoing));
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
  const problem = foreignHost(incoming);
  if (problem !== undefined) throw new SqsError("AccessDenied", problem);
  if (!body) throw tooLarge();
  const name = /^AmazonSQS\.(\w+)$/.exec(String(incoming.headers["x-amz-target"]))?.[1] ?? "";
  const run = Object.hasOwn(sqsActions, name) ? sqsActions[name] : undefined;
  if (incoming.method !== "POST" || !run) {
    throw new SqsError("UnsupportedOperation", "The local queue does not support this action.");
  }
  const json = parseJson(body);
  const { data: input } = Input.safeParse(json);
  const queue =
    queues.get(URL.parse(input?.QueueUrl ?? "")?.pathname ?? "") ??
    [...queues.values()].find(({ arn }) => arn === input?.SourceArn);
  if (!queue) throw new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
  const leaving = new AbortController();
  outgoing.once("close", () => leaving.abort());
  return run(queue, json, leaving.signal);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new SqsError("InvalidParameterValue", "The body is not JSON.");
  }
}

function sendError(outgoing: ServerResponse, error: unknown): void {
  if (!(error instanceof SqsError)) {
    if (!outgoing.closed) log.error("The local queue failed.", { error });
    return void outgoing.destroy();
  }
  outgoing.setHeader("x-amzn-query-error", `${error.code};Sender`);
  respond(outgoing, error.code === "AccessDenied" ? 403 : 400, {
    __type: `com.amazonaws.sqs#${error.code}`,
    message: error.message,
  });
}

function respond(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.setHeader("x-amzn-RequestId", randomUUID());
  outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
}

type Action = (queue: MemoryQueue, input: unknown, signal: AbortSignal) => object | Promise<object>;

const longestVisibilitySeconds = 12 * 60 * 60;
const VisibilityTimeout = z.int().min(0).max(longestVisibilitySeconds);
const Names = z.array(z.string()).default([]);
const ReceiptHandle = z.string();

export const sqsActions: Readonly<Record<string, Action>> = {
  SendMessage: action(SentMessage, send),
  SendMessageBatch: action(
    z.object({
      Entries: z
        .array(SentMessage.extend({ Id: z.string() }))
        .min(1)
        .max(10),
    }),
    (queue, { Entries }) => sendBatch(queue, Entries),
  ),
  ReceiveMessage: action(
    z.object({
      MaxNumberOfMessages: z.int().min(1).max(10).default(1),
      VisibilityTimeout: VisibilityTimeout.optional(),
      WaitTimeSeconds: z.int().min(0).max(20).default(0),
      MessageAttributeNames: Names,
      MessageSystemAttributeNames: Names,
    }),
    async (queue, input, signal) => {
      if (input.WaitTimeSeconds > 0) {
        await queue.untilVisible(AbortSignal.any([signal, AbortSignal.timeout(input.WaitTimeSeconds * 1000)]));
      }
      // A client that has disconnected must not receive messages.
      if (signal.aborted) return {};
      const visibilityTimeoutMs = input.VisibilityTimeout === undefined ? undefined : input.VisibilityTimeout * 1000;
      const messages = queue.receive(input.MaxNumberOfMessages, visibilityTimeoutMs);
      const asked = { names: input.MessageAttributeNames, systemNames: input.MessageSystemAttributeNames };
      return messages.length > 0 ? { Messages: messages.map((message) => answeredMessage(message, asked)) } : {};
    },
  ),
  DeleteMessage: action(z.object({ ReceiptHandle }), (queue, input) => {
    queue.delete(input.ReceiptHandle);
    return {};
  }),
  ChangeMessageVisibility: action(z.object({ ReceiptHandle, VisibilityTimeout }), (queue, input) => {
    queue.changeVisibility(input.ReceiptHandle, input.VisibilityTimeout * 1000);
    return {};
  }),
  GetQueueAttributes: action(z.object({ AttributeNames: Names }), (queue, input) => {
    return { Attributes: named(queueAttributes(queue), input.AttributeNames) };
  }),
  StartMessageMoveTask: action(z.object({ SourceArn: z.string() }), (queue) => {
    if (!queue.moveBack()) throw new SqsError("InvalidParameterValue", "The queue is not a dead-letter queue.");
    return { TaskHandle: randomUUID() };
  }),
  PurgeQueue: action(z.object({}), (queue) => {
    queue.purge();
    return {};
  }),
};

function action<Schema extends z.ZodType>(
  schema: Schema,
  run: (queue: MemoryQueue, input: z.infer<Schema>, signal: AbortSignal) => object | Promise<object>,
): Action {
  return (queue, input, signal) => {
    const { data, error } = schema.safeParse(input);
    if (!error) return run(queue, data, signal);
    const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new SqsError("InvalidParameterValue", problems.join("; "));
  };
}

function send(queue: MemoryQueue, message: SentMessage) {
  assertTaken(message);
  return receiptOf(queue.send(message.MessageBody, sentOf(message)).id, message);
}

function sendBatch(queue: MemoryQueue, entries: (SentMessage & { Id: string })[]) {
  if (entries.reduce((bytes, entry) => bytes + bytesOf(entry), 0) > maximumMessageBytes) throw tooLarge();
  const answers = entries.map((entry) => {
    try {
      return { Id: entry.Id, ...send(queue, entry) };
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      return { Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message };
    }
  });
  const isFailed = (answer: object) => "SenderFault" in answer;
  return { Successful: answers.filter((answer) => !isFailed(answer)), Failed: answers.filter(isFailed) };
}

function queueAttributes(queue: MemoryQueue): Record<string, string> {
  const { visible, received } = queue.counts();
  const { redrive } = queue.settings;
  const policy = redrive && { deadLetterTargetArn: redrive.deadLetters.arn, maxReceiveCount: redrive.maximumReceives };
  return {
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(received),
    QueueArn: queue.arn,
    ...(policy && { RedrivePolicy: JSON.stringify(policy) }),
  };
}
