import type { Agent } from "node:http";
import https from "node:https";
import type { HttpRequest, HttpResponse } from "@smithy/types";

/**
 * Sends the SDK's requests over connections that are kept open, and collects each answer in one buffer.
 *
 * @param timeoutMs the longest that a request may take, from the connection to the answer's last byte; the SDK's own handler
 * stops counting at the answer's first.
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

/**
 * Only a DynamoDB on this machine is asked without TLS. Importing `node:http` as a module makes Node load its WebSocket client, too,
 * which every cold start would wait for.
 */
function transportOf({ protocol }: HttpRequest) {
  return protocol === "http:" ? process.getBuiltinModule("node:http") : https;
}

function exchange(request: HttpRequest, agent: Agent, timeoutMs: number): Promise<HttpResponse> {
  const { port, path, method, headers, body } = request;
  const hostname = request.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const outgoing = transportOf(request).request({ hostname, port, path, method, headers, agent });
    const deadline = setTimeout(() => {
      reject(new TimeoutError(`DynamoDB did not answer within ${timeoutMs} ms.`));
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

/** The name is the one by which the SDK knows that trying again may help. */
class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
