import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach } from "@jest/globals";

/** A call to DynamoDB. */
export interface Call {
  /** `GetItem` */
  action: string;
  /** Its input, as JSON. */
  input: string;
}

/** Handles a call: it responds itself, forwards the call or does neither. `forward` resolves when DynamoDB has responded, before its response is passed on. */
export type Fault = (outgoing: ServerResponse, forward: () => Promise<void>) => void;

const answer =
  (status: number, body: string): Fault =>
  (outgoing) =>
    outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(body);

const dynamoDbError = (status: number, name: string) =>
  answer(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "Not now." }));

/** Begins a response and never ends it. */
const begin = (outgoing: ServerResponse) =>
  new Promise<void>((settle) => {
    outgoing.writeHead(200, { "Content-Type": "application/x-amz-json-1.0", "Content-Length": 1_000 });
    outgoing.write('{"Item":{"PK":{"S":"', () => settle());
  });

/** The ways in which a table can fail, other than being unreachable. */
export const faults = {
  hanging: () => undefined,
  "5 s slow": (_outgoing, forward) => setTimeout(forward, 5_000),
  stalling: begin,
  "cutting off": (outgoing) => begin(outgoing).then(() => outgoing.destroy()),
  "closing connections": (outgoing) => outgoing.destroy(),
  "over its throughput": dynamoDbError(400, "ProvisionedThroughputExceededException"),
  throttling: dynamoDbError(400, "ThrottlingException"),
  "failing with 500": dynamoDbError(500, "InternalServerError"),
  "responding with 500 in HTML": answer(500, "<html>Internal Server Error</html>"),
  "responding with 503 and no body": answer(503, ""),
  "responding with 200 in HTML": answer(200, "<html>Welcome</html>"),
  "responding with 200 and no body": answer(200, ""),
  "responding with 200 and half of the JSON": answer(200, '{"Item":{"PK":{"S":"'),
} satisfies Record<string, Fault>;

/** The call succeeds, but its response is lost. */
export const unanswered: Fault = (outgoing, forward) => void forward().then(() => outgoing.destroy());

/** Lets the first calls of an action fail. */
export function failing(action: string, times: number, fault: Fault): FaultyProxy["faultOf"] {
  let left = times;
  return (call) => (call.action === action && left-- > 0 ? fault : undefined);
}

/** DynamoDB's refusal of a transaction because another one writes the same items. */
export const conflict = answer(
  400,
  JSON.stringify({
    __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    Message: "Transaction cancelled [TransactionConflict]",
    CancellationReasons: [{ Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }],
  }),
);

/** Refusals that are not retried. */
export const refusals = {
  invalid: dynamoDbError(400, "ValidationException"),
  denied: dynamoDbError(400, "AccessDeniedException"),
};

export interface FaultyProxy {
  url: string;
  /** Every call so far, including retries. */
  calls: Call[];
  /** The fault for a call, if any. */
  faultOf: (call: Call) => Fault | undefined;
  /** DynamoDB's clock; by default its own. */
  nowMs?: () => number;
  /** Refuses connections until `open` is called. */
  close: () => Promise<void>;
  open: () => Promise<void>;
}

/** A proxy between the service and a DynamoDB that forwards all calls without a fault. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const call = {
      action: incoming.headers["x-amz-target"]?.toString().split(".")[1] ?? "",
      input: await text(incoming),
    };
    proxy.calls.push(call);
    const forward = () => pass(target, incoming, call.input, outgoing, proxy.nowMs);
    if (proxy.nowMs) outgoing.setHeader("Date", new Date(proxy.nowMs()).toUTCString());
    const fault = proxy.faultOf(call);
    if (fault) fault(outgoing, forward);
    else void forward();
  });
  // Neither the server nor a hanging connection keeps the process from ending.
  server.unref().on("connection", (socket) => socket.unref());
  // Calls that hang would keep a worker from ending.
  process.once("exit", () => server.close().closeAllConnections());
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  };
  const port = await listen(0);
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    faultOf: () => undefined,
    open: async () => void (await listen(port)),
    async close() {
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

/** A proxy through which the tests of a file use their tables. No test begins with a fault. */
export async function useFaultyProxy(): Promise<FaultyProxy> {
  const proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
  beforeEach(() => {
    proxy.faultOf = () => undefined;
  });
  return proxy;
}

function pass(
  target: string,
  { method, headers }: IncomingMessage,
  body: string,
  outgoing: ServerResponse,
  nowMs?: () => number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onwards = request(target, { method, headers }, (answered) => {
    const date = nowMs && { date: new Date(nowMs()).toUTCString() };
    resolve();
    setImmediate(() => {
      outgoing.writeHead(answered.statusCode ?? 500, { ...answered.headers, ...date });
      answered.pipe(outgoing);
    });
  });
  onwards.on("error", () => {
    outgoing.destroy();
    resolve();
  });
  onwards.end(body);
  return promise;
}

const isWrite = ({ action }: Call) => ["PutItem", "UpdateItem", "TransactWriteItems"].includes(action);

/** Lets this number of writes a second pass, in the order of their arrival. A write keeps its place after its sender has given up. */
export function limitedWrites(writesPerSecond: number) {
  let nextMs = 0;
  return (call: Call): Fault | undefined => {
    if (!isWrite(call)) return undefined;
    const nowMs = performance.now();
    nextMs = Math.max(nowMs, nextMs + 1_000 / writesPerSecond);
    const waitMs = nextMs - nowMs;
    return (_outgoing, forward) => void setTimeout(() => void forward(), waitMs);
  };
}

/** Delays every call, and each tenth for longer. */
export function delayedCalls(mostMs: number, tenthMs: number) {
  let calls = 0;
  return (): Fault => {
    calls += 1;
    const delayMs = calls % 10 === 0 ? tenthMs : mostMs;
    return (_outgoing, forward) => void setTimeout(() => void forward(), delayMs);
  };
}
