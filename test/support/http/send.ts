import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";

/** The service responds within this time, even if it fails, and even on a busy machine. */
const answerTimeoutMs = 60_000;

/** Closes an idle connection long before the service does, which could otherwise end it while a busy machine sends the next request. */
const options = { keepAlive: true, timeout: 20_000 };
const agents = { "http:": new Agent(options), "https:": new TlsAgent(options) };

export interface Answer {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
}

/** Sends one request, and changes neither it nor the response, nor normalises the URL's path. */
export function send(url: string, { method = "GET", headers, body }: RequestOptions = {}): Promise<Answer> {
  const [, protocol, host, port, path] = /^(https?:)\/\/([^/:]+):?(\d*)(\/.*)$/.exec(url) ?? [];
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`${url} is not an HTTP URL.`);
  const make = protocol === "http:" ? request : tlsRequest;
  return new Promise((settle, fail) => {
    const outgoing = make({ protocol, host, port, path, method, headers, agent: agents[protocol] }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.on("error", fail);
      incoming.on("end", () =>
        settle({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    const deadline = setTimeout(
      () => outgoing.destroy(new Error(`No response in ${answerTimeoutMs} ms: ${path}`)),
      answerTimeoutMs,
    );
    outgoing.on("close", () => clearTimeout(deadline));
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}

/** The body's text, decompressed. */
export function textOf({ headers, body }: Answer): string {
  return (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
}

/** Headers that come from the connection, a gateway or a distribution, not from the API. */
const transport =
  /^(connection|content-length|date|keep-alive|server|transfer-encoding|via|x-amz.*|x-cache|content-security-policy|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options)$/;

/** The headers that the API itself sets. */
export function ownHeaders({ headers }: Answer): Answer["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !transport.test(name)));
}

/** The parts of a response that are equal for equal requests, for comparing two responses. */
export function comparable(answer: Answer) {
  const { "x-request-id": requestId, ...headers } = ownHeaders(answer);
  return { status: answer.status, headers, body: textOf(answer).replaceAll(String(requestId), "{request_id}") };
}

/** The example body in an endpoint's documentation, if it takes one. */
export function exampleBody({ body }: Pick<Endpoint, "body">): object | undefined {
  const [example] = z.array(z.record(z.string(), z.unknown())).parse(body?.meta()?.examples ?? []);
  // The host of the example does not exist.
  return example && "url" in example ? { ...example, url: unusedUrl } : example;
}

/** A public address without a web server (RFC 7535), so that no name must resolve. */
export const unusedUrl = "https://192.31.196.1/hook";

/** A path with further parameters. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}
