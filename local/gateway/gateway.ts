import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyResult } from "aws-lambda";
import { type Endpoint, methodsOf } from "../../functions/api/endpoint.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
  unknownMethod,
  unknownPath,
} from "../../functions/api/gatewayResponses.ts";
import { functionTimeoutMs, type LambdaHandler } from "../../functions/api/lambda.ts";
import { type AuthorizerConfiguration, authorize } from "./authorize.ts";
import { type GatewayRequest, methodArn, proxyEvent } from "./proxyEvent.ts";
import { readBody } from "./readBody.ts";
import { type Match, matchPath } from "./routes.ts";

/**
 * Lambda's limit for the event and for the response of a synchronous call, each of which contains the body as a JSON string
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html). API Gateway's own limit, 10 MB, is never reached.
 */
const maximumPayloadBytes = 6_291_456;

export interface GatewayConfiguration {
  endpoints: readonly Endpoint[];
  /** By operationId. */
  handlers: ReadonlyMap<string, LambdaHandler>;
  /** By caller scheme. */
  authorizers: Record<Endpoint["caller"]["scheme"], AuthorizerConfiguration>;
}

export interface GatewayAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Handles a request as the deployed gateway does: path, method, authorizer, proxy integration, and its own error responses. */
export async function answer(configuration: GatewayConfiguration, incoming: IncomingMessage): Promise<GatewayAnswer> {
  const [path = "/", ...query] = (incoming.url ?? "/").split("?");
  const requestId = randomUUID();
  const body = await readBody(incoming, maximumPayloadBytes);
  const refuse = (response: GatewayResponse) => render(renderGatewayResponse(response, requestId));

  const match = matchPath(configuration.endpoints, path);
  if (!match) return refuse(unknownPath);
  const endpoint = match.endpoints.find((one) => methodsOf(one).includes(incoming.method ?? ""));
  if (!endpoint) return refuse(unknownMethod(match.endpoints.flatMap(methodsOf)));
  if (!body || Buffer.byteLength(JSON.stringify(String(body))) > maximumPayloadBytes)
    return refuse(gatewayResponses.REQUEST_TOO_LARGE);

  const request = { incoming, requestId, path, query: query.join("?"), body };
  const { authorizers, handlers } = configuration;
  const token = incoming.headers.authorization;
  const authorization = await authorize(authorizers[endpoint.caller.scheme], token, methodArn(request));
  if ("refusal" in authorization) return refuse(gatewayResponses[authorization.refusal]);
  const handler = handlers.get(endpoint.operationId);
  try {
    if (!handler) throw new Error(`${endpoint.operationId} has no function.`);
    const result = await invoke(handler, request, match, authorization.context);
    if (
      result.body.length > maximumPayloadBytes / 7 &&
      Buffer.byteLength(JSON.stringify(result)) > maximumPayloadBytes
    ) {
      throw new Error("The response is too large.");
    }
    return render(result);
  } catch {
    // The function has logged the error.
    return refuse(gatewayResponses.DEFAULT_5XX);
  }
}

function invoke(handler: LambdaHandler, request: GatewayRequest, match: Match, context: Record<string, unknown>) {
  const event = proxyEvent(request, match.resource, match.pathParameters, context);
  // Tests allow for a busy machine.
  const deadlineMs = Date.now() + Number(process.env.FUNCTION_TIMEOUT_MS ?? functionTimeoutMs);
  return handler(event, {
    awsRequestId: request.requestId,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  });
}

function render({ statusCode, headers = {}, body, isBase64Encoded }: APIGatewayProxyResult): GatewayAnswer {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    statusCode,
    headers: Object.fromEntries(texts),
    body: Buffer.from(body, isBase64Encoded ? "base64" : "utf8"),
  };
}
