import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEvent } from "aws-lambda";

const stage = "local";
const accountId = "000000000000";
const apiId = "local";

export interface GatewayRequest {
  incoming: IncomingMessage;
  requestId: string;
  /** Path and query, not decoded. */
  path: string;
  query: string;
  body: Buffer;
}

export function methodArn({ incoming, path }: GatewayRequest): string {
  return `arn:aws:execute-api:local:${accountId}:${apiId}/${stage}/${incoming.method}${path}`;
}

/** The event that API Gateway sends to a Lambda proxy integration (payload format 1.0). */
export function proxyEvent(
  request: GatewayRequest,
  resource: string,
  pathParameters: Record<string, string> | null,
  authorizer: Record<string, unknown>,
): APIGatewayProxyEvent {
  const { incoming, requestId, path, query, body } = request;
  const multiValueHeaders = headersOf(incoming);
  const multiValueQueryStringParameters = queryOf(query);
  const httpMethod = incoming.method ?? "GET";
  return {
    resource,
    path,
    httpMethod,
    headers: lastOf(multiValueHeaders) ?? {},
    multiValueHeaders,
    queryStringParameters: lastOf(multiValueQueryStringParameters),
    multiValueQueryStringParameters,
    pathParameters,
    stageVariables: null,
    // Without binary media types, API Gateway passes every body as text.
    body: body.length > 0 ? body.toString("utf8") : null,
    isBase64Encoded: false,
    requestContext: {
      accountId,
      apiId,
      authorizer,
      domainName: domainNameOf(incoming),
      httpMethod,
      identity: identityOf(incoming),
      path,
      protocol: `HTTP/${incoming.httpVersion}`,
      requestId,
      requestTimeEpoch: Date.now(),
      resourceId: resource,
      resourcePath: resource,
      stage,
    },
  };
}

/** Header names as the client wrote them, with every value; like API Gateway, sets X-Forwarded-Proto itself. */
function headersOf(incoming: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = incoming.rawHeaders.slice(index, index + 2);
    if (name.toLowerCase().startsWith("x-forwarded-proto")) continue;
    headers[name] = [...(headers[name] ?? []), value];
  }
  return { ...headers, "X-Forwarded-Proto": ["http"] };
}

function queryOf(query: string): Record<string, string[]> | null {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    values[name] = [...(values[name] ?? []), value];
  }
  return Object.keys(values).length > 0 ? values : null;
}

function lastOf(values: Record<string, string[]> | null): Record<string, string> | null {
  return values && Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? ""]));
}

/** The requested host. API Gateway only accepts its own domains; here, any valid host passes. */
function domainNameOf({ headers: { host = "" } }: IncomingMessage): string {
  const url = URL.parse(`http://${host}`);
  return url?.host === host.toLowerCase() ? host : "localhost";
}

function identityOf(incoming: IncomingMessage): APIGatewayProxyEvent["requestContext"]["identity"] {
  return {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: incoming.socket.remoteAddress ?? "",
    user: null,
    userAgent: incoming.headers["user-agent"] ?? null,
    userArn: null,
  };
}

/** Reads the whole body; some clients ignore an early response. @returns undefined if it exceeds the limit. */
export async function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= maximumBytes) chunks.push(chunk);
  }
  return bytes <= maximumBytes ? Buffer.concat(chunks) : undefined;
}
