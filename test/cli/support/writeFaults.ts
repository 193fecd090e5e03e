import { type Call, type Fault, faults, startFaultyProxy } from "../../support/data/faultyProxy.ts";

/** Failures of a write; the last one still writes. */
const writeFaults = {
  throttled: () => faults["over its throughput"],
  failed: () => faults["failing with 500"],
  unanswered: () => faults["closing connections"],
  answerLost: (endpoint, call) => async (outgoing) => {
    await carry(endpoint, call);
    outgoing.destroy();
  },
} satisfies Record<string, (endpoint: string, call: Call) => Fault>;

export type WriteFault = keyof typeof writeFaults;
export const writeFaultNames: WriteFault[] = ["throttled", "failed", "unanswered", "answerLost"];

/** A DynamoDB with faulty writes. `nextFault` gets the number of each write, from 1. */
export async function startFaultyWrites(endpoint: string, nextFault: (write: number) => WriteFault | undefined) {
  const proxy = await startFaultyProxy(endpoint);
  let writes = 0;
  proxy.faultOf = (call) => {
    if (!isWrite(call)) return undefined;
    writes += 1;
    const name = nextFault(writes);
    return name && writeFaults[name](endpoint, call);
  };
  return proxy;
}

/**
 * A DynamoDB that calls back before the given write, counted from 1.
 * @returns its address, and a function that ends it when DynamoDB has responded to every write that reached it.
 */
export async function startInterruptedWrites(endpoint: string, write: number, callBack: () => void) {
  const proxy = await startFaultyProxy(endpoint);
  const underWay: Promise<unknown>[] = [];
  proxy.faultOf = (call) => {
    if (!isWrite(call)) return undefined;
    const carried = carry(endpoint, call);
    if (underWay.push(carried) === write) callBack();
    return async (outgoing) => {
      const { status, text } = await carried;
      outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(text);
    };
  };
  const end = async () => {
    await Promise.all(underWay);
    await proxy.close();
  };
  return { url: proxy.url, end };
}

function isWrite({ action }: Call): boolean {
  return /^(BatchWriteItem|PutItem|TransactWriteItems|UpdateItem)$/.test(action);
}

/** Sends a call to DynamoDB Local, which requires a signature but does not check it. */
async function carry(endpoint: string, { action, input }: Call): Promise<{ status: number; text: string }> {
  const headers = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": `DynamoDB_20120810.${action}`,
    Authorization:
      "AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
  };
  const response = await fetch(endpoint, { method: "POST", headers, body: input });
  return { status: response.status, text: await response.text() };
}
