import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "@ticketing/local-aws/gateway";
import type { Attributes } from "../functions/table/item.ts";

/** A call to DynamoDB. */
export interface Call {
  /** `GetItem` */
  action: string;
  input: object;
  /** The same read of all attributes. */
  wholeInput: { Key?: Attributes; ExpressionAttributeValues?: Attributes };
  /** The milliseconds until DynamoDB's response was complete. */
  ms: number;
  /** The read units that DynamoDB charged. */
  units: number;
  /** The number of rows that a query read. */
  rows: number;
  /** The fewest units that reading these items, or the first `rows` of them, can cost. */
  leastUnits: (rows?: number) => number;
}

interface Exchange {
  call: Call;
  answer: string;
}

const bytesPerUnit = 4_096;

export type RecordingProxy = Awaited<ReturnType<typeof startRecordingProxy>>;

/** Forwards calls to a DynamoDB and records them. Until the calls are taken, it responds to a repeated call from memory. */
export async function startRecordingProxy(target: string) {
  let known = new Map<string, Promise<Exchange>>();
  let calls: Call[] = [];
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await text(incoming);
    const id = incoming.headers["x-amz-target"] + request;
    const pending = known.get(id) ?? forward(target, incoming, request);
    known.set(id, pending);
    const { call, answer } = await pending;
    calls.push(call);
    outgoing.writeHead(200, { "Content-Length": Buffer.byteLength(answer) }).end(answer);
  };
  const server = createServer(respond);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    /** The calls since they were last taken. */
    takeCalls(): Call[] {
      const taken = calls;
      calls = [];
      known = new Map();
      return taken;
    },
    stop() {
      server.close().closeAllConnections();
    },
  };
}

async function forward(target: string, { headers }: IncomingMessage, request: string): Promise<Exchange> {
  const operation = String(headers["x-amz-target"]);
  const ask = async (body: string) => {
    const response = await fetch(target, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": operation,
        "X-Amz-Date": String(headers["x-amz-date"]),
        Authorization: String(headers.authorization),
      },
      body,
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`DynamoDB refused ${operation}: ${answer}`);
    return answer;
  };
  const startedMs = performance.now();
  const answer = await ask(request);
  const ms = performance.now() - startedMs;
  const input = JSON.parse(request);
  const wholeInput = wholeOf(input);
  const whole = wholeInput === input ? answer : await ask(JSON.stringify(wholeInput));
  const call = callOf(operation.split(".")[1] ?? "", wholeInput, answer, whole);
  return { call: { ...call, input, wholeInput, ms }, answer };
}

type Input = ReturnType<typeof JSON.parse>;

/** The same read of all attributes: DynamoDB charges for those that it does not return, too. */
function wholeOf(input: Input): Input {
  const { ProjectionExpression, ExpressionAttributeNames: names = {}, ...rest } = input;
  if (ProjectionExpression === undefined) return input;
  const isUsed = ([name]: [string, unknown]) => String(input.KeyConditionExpression).includes(name);
  const used = Object.entries(names).filter(isUsed);
  return { ...rest, ...(used.length > 0 && { ExpressionAttributeNames: Object.fromEntries(used) }) };
}

function callOf(action: string, input: Input, answer: string, whole: string) {
  const { Item = {}, Items = [Item], Responses } = JSON.parse(whole);
  const { ConsumedCapacity = [] } = JSON.parse(answer);
  const reported = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  const [{ ConsistentRead = false } = {}] = Object.values<{ ConsistentRead?: boolean }>(input.RequestItems ?? [input]);
  // Items of a batch are charged one by one, those of a query together.
  const charged = Responses
    ? Object.values<Attributes[]>(Responses).flatMap((items) => items.map((item) => [item]))
    : [Items];
  const leastUnits = (rows?: number) =>
    charged.reduce((sum, items) => sum + leastUnitsOf(items.slice(0, rows), ConsistentRead), 0);
  // DynamoDB Local reports nothing for a query that finds nothing, for which DynamoDB charges. The service counts it, too.
  const units = action === "Query" ? Math.max(reported, leastUnits(0)) : reported;
  const rows = action === "Query" ? Items.length : 0;
  return { action, units, rows, leastUnits };
}

/** A read that finds nothing costs as much as one of the smallest item. */
function leastUnitsOf(items: Attributes[], isConsistent: boolean): number {
  return Math.max(1, Math.ceil(itemBytes(items) / bytesPerUnit)) * (isConsistent ? 1 : 0.5);
}

/**
 * The size of items as DynamoDB counts it: the UTF-8 bytes of names and texts, a byte for every two significant digits of a
 * number and one more, one byte for a boolean or a null
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 */
function itemBytes(items: readonly Attributes[]): number {
  return items
    .flatMap((item) => Object.entries(item))
    .reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes({ S, N, L, M }: Attributes[string]): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[-.]|^0+|0+$/g, "").length / 2) + 1;
  if (L !== undefined) return 3 + L.reduce((sum, value) => sum + 1 + valueBytes(value), 0);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes([M]);
  return 1;
}
