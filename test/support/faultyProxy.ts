import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** A call to DynamoDB on its way. */
export interface Call {
  /** `GetItem` */
  action: string;
  /** Its input, as JSON. */
  input: string;
}

/** What becomes of a call: it answers by itself, forwards or does neither. */
export type Fault = (outgoing: ServerResponse, forward: () => void) => void;

const answer =
  (status: number, body: string): Fault =>
  (outgoing) =>
    outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(body);

const dynamoDbError = (status: number, name: string) =>
  answer(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "Not now." }));

/** Begins an answer and leaves it at that. */
const begin = (outgoing: ServerResponse) =>
  new Promise<void>((settle) => {
    outgoing.writeHead(200, { "Content-Type": "application/x-amz-json-1.0", "Content-Length": 1_000 });
    outgoing.write('{"Item":{"PK":{"S":"', () => settle());
  });

/** The ways in which a table can be out of order, other than not being there at all. */
export const faults = {
  hanging: () => undefined,
  "5 s slow": (_outgoing, forward) => setTimeout(forward, 5_000),
  stalling: begin,
  "cutting off": (outgoing) => begin(outgoing).then(() => outgoing.destroy()),
  "closing connections": (outgoing) => outgoing.destroy(),
  "over its throughput": dynamoDbError(400, "ProvisionedThroughputExceededException"),
  throttling: dynamoDbError(400, "ThrottlingException"),
  "failing with 500": dynamoDbError(500, "InternalServerError"),
  "answering 500 in HTML": answer(500, "<html>Internal Server Error</html>"),
  "answering 503 with nothing": answer(503, ""),
  "answering 200 in HTML": answer(200, "<html>Welcome</html>"),
  "answering 200 with nothing": answer(200, ""),
  "answering 200 with half of an answer": answer(200, '{"Item":{"PK":{"S":"'),
} satisfies Record<string, Fault>;

export interface FaultyProxy {
  url: string;
  /** Every call so far, tried again ones too. */
  calls: Call[];
  /** Says which fault a call meets, if any. */
  faultOf: (call: Call) => Fault | undefined;
  /** From now on, connections are refused. */
  close: () => Promise<void>;
  open: () => Promise<void>;
}

/** Stands between the service and a DynamoDB, and passes on what no fault keeps it from. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const call = {
      action: incoming.headers["x-amz-target"]?.toString().split(".")[1] ?? "",
      input: await text(incoming),
    };
    proxy.calls.push(call);
    const forward = () => pass(target, incoming, call.input, outgoing);
    const fault = proxy.faultOf(call);
    if (fault) fault(outgoing, forward);
    else forward();
  });
  // Neither it nor a connection that hangs keeps a process from ending.
  server.unref().on("connection", (socket) => socket.unref());
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

function pass(target: string, { method, headers }: IncomingMessage, body: string, outgoing: ServerResponse): void {
  const onwards = request(target, { method, headers }, (answered) => {
    outgoing.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(outgoing);
  });
  onwards.on("error", () => outgoing.destroy());
  onwards.end(body);
}
