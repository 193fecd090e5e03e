import type { Agent } from "node:http";
import https from "node:https";
import type { HttpRequest, HttpResponse } from "@smithy/types";

/**
 * Sends the SDK's requests over connections that stay open, and collects each response in one buffer.
 *
 * @param timeoutMs for a whole request, up to the last byte of the response. The SDK's own handler stops its timer at the first byte.
 */
export function requestHandler(timeoutMs: number) {
  let agent: Agent | undefined;
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: HttpRequest) {
      agent ??= new (transportOf(request).Agent)({ keepAlive: true });
      return { response: await exchange(request, agent, timeoutMs) };
    },
    destroy: () => agent?.destroy(),
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** Only a local DynamoDB uses plain HTTP. Importing `node:http` would also load Node's WebSocket client and slow down every cold start. */
function transportOf({ protocol }: HttpRequest) {
  return protocol === "http:" ? process.getBuiltinModule("node:http") : https;
}

function exchange(request: HttpRequest, agent: Agent, timeoutMs: number): Promise<HttpResponse> {
  const { port, path, method, headers, body } = request;
  const hostname = request.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const outgoing = transportOf(request).request({ hostname, port, path, method, headers, agent });
    const deadline = setTimeout(() => {
      reject(new TimeoutError(`DynamoDB did not respond within ${timeoutMs} ms.`));
      outgoing.destroy();
    }, timeoutMs);
    outgoing.once("close", () => clearTimeout(deadline));
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        const statusCode = incoming.statusCode ?? 0;
        resolve({ statusCode, headers: singleHeaders(incoming.headers), body: Buffer.concat(chunks) });
      });
    });
    outgoing.end(body);
  });
}

function singleHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The SDK recognises a retryable error by this name. */
class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
