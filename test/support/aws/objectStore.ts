import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ImportObject } from "../../../functions/feed/importObject.ts";

interface StoreRequest {
  method: string;
  key: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A fault of a response: it is an error, or it breaks off after a number of bytes of the object. */
type StoreFault = { status: number } | { cutAfterBytes: number };

/** The part of S3 that the import uses: one bucket, with conditions and ranges. */
export interface ObjectStore {
  /** Puts an object and returns the object's part of an event. */
  put: (key: string, content: Buffer | string) => ImportObject;
  get: (key: string) => string | undefined;
  delete: (key: string) => void;
  requests: StoreRequest[];
  /** The fault for a request, if any. */
  faultOf: (request: StoreRequest) => StoreFault | undefined;
  close: () => Promise<void>;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const bucket = "imports-and-reports";

/** Starts an object store and points this process's S3 client at it. */
export async function useObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (incoming, outgoing) => {
    const path = decodeURIComponent(new URL(incoming.url ?? "", "http://store").pathname);
    const { method = "", headers } = incoming;
    const request = { method, key: path.slice(`/${bucket}/`.length), headers, body: await buffer(incoming) };
    store.requests.push(request);
    const fault = store.faultOf(request);
    const isRefused = fault && "status" in fault;
    const answer = isRefused ? refusal(fault.status, "InternalError") : answerTo(request, objects);
    const body = Buffer.from(answer.body ?? "");
    outgoing.writeHead(answer.status, { ...answer.headers, "Content-Length": body.length });
    if (fault && "cutAfterBytes" in fault && fault.cutAfterBytes < body.length) {
      outgoing.write(body.subarray(0, fault.cutAfterBytes), () => outgoing.destroy());
    } else outgoing.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  });
  const store: ObjectStore = {
    put(key, content) {
      const bytes = Buffer.from(content);
      objects.set(key, bytes);
      return { bucket, key, etag: etagOf(bytes).slice(1, -1), sizeBytes: bytes.length };
    },
    get: (key) => objects.get(key)?.toString(),
    delete: (key) => void objects.delete(key),
    requests: [],
    faultOf: () => undefined,
    async close() {
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
  };
  return store;
}

function answerTo(request: StoreRequest, objects: Map<string, Buffer>): Answer {
  const { method, key, headers, body } = request;
  const stored = objects.get(key);
  const expected = headers["if-match"];
  if (!stored && (method === "GET" || expected !== undefined)) return refusal(404, "NoSuchKey");
  const isOther = stored && expected !== undefined && expected !== etagOf(stored);
  if (isOther || (stored && headers["if-none-match"] === "*")) return refusal(412, "PreconditionFailed");
  if (method === "GET" && stored) return content(stored, headers);
  objects.set(key, body);
  return { status: 200, headers: { ETag: etagOf(body) } };
}

function content(stored: Buffer, headers: IncomingHttpHeaders): Answer {
  const ETag = etagOf(stored);
  const range = /^bytes=(\d+)-$/.exec(headers.range ?? "");
  if (!range) return { status: 200, headers: { ETag }, body: stored };
  const start = Number(range[1]);
  if (start >= stored.length) return refusal(416, "InvalidRange");
  return { status: 206, headers: { ETag }, body: stored.subarray(start) };
}

function refusal(status: number, code: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;
  return { status, headers: { "Content-Type": "application/xml" }, body };
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
