import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from "aws-lambda";
import { type GatewayRequest, methodArn, proxyEvent, readBody } from "./proxyEvent.ts";

/**
 * Lambda's limit for the event and for the response of a synchronous call, each of which contains the body as a JSON string
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html). API Gateway's own limit, 10 MB, is never reached.
 */
const maximumPayloadBytes = 6_291_456;

export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
) => Promise<APIGatewayProxyResult>;

export interface Route {
  methods: readonly string[];
  /** With parameters in braces: `/v1/events/{id}`. */
  path: string;
  authorizer: AuthorizerConfiguration;
  handler: LambdaHandler;
  timeoutMs: number;
}

/** The gateway's own responses: API Gateway's response types, and a path or a method without a function. */
export type Refusal =
  | "UNAUTHORIZED"
  | "ACCESS_DENIED"
  | "AUTHORIZER_CONFIGURATION_ERROR"
  | "REQUEST_TOO_LARGE"
  | "BAD_REQUEST_PARAMETERS"
  | "DEFAULT_5XX"
  | "UNKNOWN_PATH"
  | "UNKNOWN_EXPECTATION"
  | { allowedMethods: readonly string[] };

export type Refuse = (refusal: Refusal, requestId: string) => APIGatewayProxyResult;

interface GatewayConfiguration {
  routes: readonly Route[];
  refuse: Refuse;
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
  const refuse = (refusal: Refusal) => render(configuration.refuse(refusal, requestId));

  const match = matchPath(configuration.routes, path);
  if (!match) return refuse("UNKNOWN_PATH");
  const route = match.routes.find(({ methods }) => methods.includes(incoming.method ?? ""));
  if (!route) return refuse({ allowedMethods: match.routes.flatMap(({ methods }) => methods) });
  if (!body || Buffer.byteLength(JSON.stringify(String(body))) > maximumPayloadBytes)
    return refuse("REQUEST_TOO_LARGE");

  const request = { incoming, requestId, path, query: query.join("?"), body };
  // AWS does not document which of several lines API Gateway passes. The function refuses repeated ones anyway.
  const token = incoming.headersDistinct.authorization?.at(-1);
  const authorization = await authorize(route.authorizer, token, request);
  if ("refusal" in authorization) return refuse(authorization.refusal);
  try {
    const event = proxyEvent(request, match.resource, match.pathParameters, authorization.context);
    const result = await invoke(route, event);
    // API Gateway decodes base64 only for binary media types, and the API has none.
    if (result.isBase64Encoded) throw new Error("The response is base64.");
    if (
      result.body.length > maximumPayloadBytes / 7 &&
      Buffer.byteLength(JSON.stringify(result)) > maximumPayloadBytes
    ) {
      throw new Error("The response is too large.");
    }
    return render(result);
  } catch {
    // The function has logged the error.
    return refuse("DEFAULT_5XX");
  }
}

function invoke({ handler, timeoutMs }: Route, event: APIGatewayProxyEvent) {
  // Tests allow for a busy machine.
  const deadlineMs = Date.now() + Math.max(timeoutMs, Number(process.env.FUNCTION_TIMEOUT_MS ?? 0));
  return handler(event, {
    awsRequestId: event.requestContext.requestId,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  });
}

function render({ statusCode, headers = {}, body }: APIGatewayProxyResult): GatewayAnswer {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { statusCode, headers: Object.fromEntries(texts), body: Buffer.from(body) };
}

interface Match {
  /** The path template: `/v1/events/{id}`. */
  resource: string;
  routes: Route[];
  pathParameters: Record<string, string> | null;
}

/**
 * Finds the declared path that matches a request's path. The order of declaration does not matter: fixed segments win over
 * parameters. Like API Gateway's REST APIs, it does not percent-decode.
 */
function matchPath(routes: readonly Route[], path: string): Match | undefined {
  const segments = path.split("/");
  const matches = [...new Set(routes.map((route) => route.path))]
    .flatMap((resource) => matchTemplate(resource, segments) ?? [])
    .sort((one, other) => Object.keys(one.parameters).length - Object.keys(other.parameters).length);
  const [best] = matches;
  return (
    best && {
      resource: best.resource,
      routes: routes.filter((route) => route.path === best.resource),
      pathParameters: Object.keys(best.parameters).length > 0 ? best.parameters : null,
    }
  );
}

function matchTemplate(resource: string, segments: string[]) {
  const templates = resource.split("/");
  const parameters: Record<string, string> = {};
  if (templates.length !== segments.length) return undefined;
  for (const [index, template] of templates.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(.+)\}$/.exec(template)?.[1];
    if (name !== undefined && segment !== "") parameters[name] = segment;
    else if (template !== segment) return undefined;
  }
  return { resource, parameters };
}

export type Authorizer = (
  event: APIGatewayTokenAuthorizerEvent,
  context: Pick<Context, "awsRequestId">,
) => Promise<APIGatewayAuthorizerResult>;

export interface AuthorizerConfiguration {
  authorizer: Authorizer;
  /** A regular expression for the whole Authorization header. */
  identityValidationExpression: string;
}

type Authorization = { context: Record<string, unknown> } | { refusal: Refusal };

/**
 * Works as API Gateway does with a TOKEN authorizer: the token must match the identity validation expression before any function
 * runs, the policy must allow the method, and the context's values become strings.
 */
async function authorize(
  { authorizer, identityValidationExpression }: AuthorizerConfiguration,
  token: string | undefined,
  request: GatewayRequest,
): Promise<Authorization> {
  if (token === undefined || !new RegExp(identityValidationExpression).test(token)) {
    return { refusal: "UNAUTHORIZED" };
  }
  const arn = methodArn(request);
  let result: APIGatewayAuthorizerResult;
  try {
    const event = { type: "TOKEN" as const, authorizationToken: token, methodArn: arn };
    result = await authorizer(event, { awsRequestId: request.requestId });
  } catch {
    // The authorizer has logged the error.
    return { refusal: "AUTHORIZER_CONFIGURATION_ERROR" };
  }
  if (!isAllowed(result, arn)) return { refusal: "ACCESS_DENIED" };
  const context = Object.entries(result.context ?? {}).map(([name, value]) => [name, String(value)]);
  return { context: { ...Object.fromEntries(context), principalId: result.principalId } };
}

/** A Deny overrides every Allow; the default is Deny. */
function isAllowed({ policyDocument }: APIGatewayAuthorizerResult, methodArn: string): boolean {
  const effects = policyDocument.Statement.filter(
    (statement) =>
      "Action" in statement &&
      [statement.Action].flat().includes("execute-api:Invoke") &&
      "Resource" in statement &&
      [statement.Resource].flat().some((pattern) => typeof pattern === "string" && matchesArn(pattern, methodArn)),
  ).map((statement) => statement.Effect);
  return effects.includes("Allow") && !effects.includes("Deny");
}

function matchesArn(pattern: string, arn: string): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(arn);
}
