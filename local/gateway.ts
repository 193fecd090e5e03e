import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import {
  type AuthorizerConfiguration,
  type GatewayAnswer,
  type LambdaHandler,
  listen,
  type Refusal,
  type RequestHandler,
  type Route,
} from "@ticketing/local-aws/gateway";
import { foreignHost } from "@ticketing/local-aws/loopback-host";
import { type Endpoint, methodsOf } from "../functions/api/endpoint.ts";
import {
  gatewayResponses,
  minimumCompressionBytes,
  renderGatewayResponse,
  unknownExpectation,
  unknownMethod,
  unknownPath,
} from "../functions/api/gatewayResponses.ts";
import { functionTimeoutMs } from "../functions/api/lambda.ts";

export function gatewayOf(
  endpoints: readonly Endpoint[],
  handlerOf: (endpoint: Endpoint) => LambdaHandler,
  authorizers: Record<Endpoint["caller"]["scheme"], AuthorizerConfiguration>,
) {
  const routes: Route[] = endpoints.map((endpoint) => ({
    methods: methodsOf(endpoint),
    path: endpoint.path,
    authorizer: authorizers[endpoint.caller.scheme],
    handler: handlerOf(endpoint),
    timeoutMs: endpoint.timeoutMs ?? functionTimeoutMs,
  }));
  return { routes, refuse };
}

function refuse(refusal: Refusal, requestId: string) {
  return renderGatewayResponse(responseOf(refusal), requestId);
}

function responseOf(refusal: Refusal) {
  if (typeof refusal === "object") return unknownMethod(refusal.allowedMethods);
  if (refusal === "UNKNOWN_PATH") return unknownPath;
  return refusal === "UNKNOWN_EXPECTATION" ? unknownExpectation : gatewayResponses[refusal];
}

function refuseForeignHost(incoming: IncomingMessage): GatewayAnswer | undefined {
  const detail = foreignHost(incoming);
  if (detail === undefined) return undefined;
  const { statusCode, headers, body } = renderGatewayResponse({ code: "forbidden", detail }, randomUUID());
  return { statusCode, headers, body: Buffer.from(body) };
}

/** Serves a handler as the deployed gateway does. @param port 0 for a free one. @throws UsageError if the port is taken. */
export function listenLocally(handle: RequestHandler, port: number): Promise<Server> {
  const checked: RequestHandler = async (incoming, outgoing) =>
    refuseForeignHost(incoming) ?? handle(incoming, outgoing);
  return listen(checked, { port, refuse, minimumCompressionBytes });
}
