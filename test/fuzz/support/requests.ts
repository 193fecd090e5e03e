import assert from "node:assert/strict";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import type { LambdaHandler } from "../../../functions/api/lambda.ts";
import { ApiKeyPrincipal } from "../../../functions/keys/apiKeyPrincipal.ts";
import { PersonPrincipal } from "../../../functions/people/personPrincipal.ts";
import { Scope } from "../../../functions/resources/scope.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";
import { hasId } from "../../support/http/examples.ts";
import { exampleBody } from "../../support/http/send.ts";

/** A place in a request for a client's text: returns the members of the event that contain it. */
type Place = (text: string) => object;

/** Every place of a request to the endpoint, by name. */
export function placesOf(endpoint: Endpoint): Record<string, Place> {
  return { ...queryPlaces(endpoint), ...headerPlaces, ...pathPlaces(endpoint), ...bodyPlaces(endpoint) };
}

function queryPlaces({ query }: Endpoint): Record<string, Place> {
  const declared = Object.keys(query?.shape ?? {}).map((name): [string, Place] => [
    `query value of ${name}`,
    (text) => ({ multiValueQueryStringParameters: { [name]: [text] } }),
  ]);
  return {
    ...Object.fromEntries(declared),
    "query name": (text) => ({ multiValueQueryStringParameters: { [text]: ["1"] } }),
    "many query names": (text) => ({ multiValueQueryStringParameters: split(text, () => ["1"]) }),
    "repeated query value": (text) => ({ multiValueQueryStringParameters: { per_page: [...text.slice(0, 5_000)] } }),
  };
}

const headerNames = [
  "If-Match",
  "If-None-Match",
  "Idempotency-Key",
  "Content-Type",
  "Content-Encoding",
  "X-Forwarded-Host",
];

const headerPlaces: Record<string, Place> = {
  ...Object.fromEntries(
    headerNames.map((name): [string, Place] => [
      `header ${name}`,
      (text) => ({ headers: { "Content-Type": "application/json", [name]: text } }),
    ]),
  ),
  "header name": (text) => ({ headers: { "Content-Type": "application/json", [text]: "1" } }),
};

function pathPlaces(endpoint: Endpoint): Record<string, Place> {
  return hasId(endpoint) ? { "path id": (text) => ({ pathParameters: { id: text } }) } : {};
}

function bodyPlaces({ body }: Endpoint): Record<string, Place> {
  if (!body) return {};
  const members = Object.keys(body.shape).map((name): [string, Place] => [
    `body value of ${name}`,
    (text) => ({ body: JSON.stringify({ [name]: text }) }),
  ]);
  return {
    ...Object.fromEntries(members),
    "body name": (text) => ({ body: JSON.stringify({ [text]: 1 }) }),
    "many body names": (text) => ({ body: JSON.stringify(split(text, () => 1)) }),
    "duplicate body names": (text) => ({
      body: `{${Array.from({ length: 1_000 }, () => `${JSON.stringify(text.slice(0, 90))}:1`)}}`,
    }),
    "nested body": (text) => ({ body: `${'{"a":'.repeat(10_000)}${JSON.stringify(text)}${"}".repeat(10_000)}` }),
    "nested arrays": (text) => ({ body: `{"name":${"[".repeat(text.length / 2)}${"]".repeat(text.length / 2)}}` }),
    "body text": (text) => ({ body: text }),
  };
}

/** The text as distinct names of 8 characters. */
function split<Value>(text: string, value: () => Value): Record<string, Value> {
  const names = Array.from({ length: Math.ceil(text.length / 8) }, (_, index) => index.toString(36) + text.slice(0, 4));
  return Object.fromEntries(names.map((name) => [name, value()]));
}

const authorizers = {
  apiKey: ApiKeyPrincipal.encode({
    organisationId: 1,
    keyId: "k1",
    keyName: "Fuzz",
    keyPrefix: "tsk_12345678",
    scopes: [...Scope.options],
  }),
  superAdmin: PersonPrincipal.encode({ subject: "someone", name: "someone@example.org", superAdminOf: 1 }),
};

/** The event of a valid request to an endpoint, with some members replaced. */
export function proxyEvent(endpoint: Endpoint, changes: object = {}): APIGatewayProxyEvent {
  const body = exampleBody(endpoint);
  return {
    httpMethod: endpoint.method,
    path: endpoint.path.replace("{id}", "1"),
    resource: endpoint.path,
    headers: body ? { "Content-Type": "application/json" } : {},
    pathParameters: hasId(endpoint) ? { id: "1" } : null,
    multiValueQueryStringParameters: null,
    body: body ? JSON.stringify(body) : null,
    isBase64Encoded: false,
    requestContext: {
      requestId: "r1",
      domainName: "api.example.com",
      path: `/prod${endpoint.path}`,
      authorizer: { ...authorizers[endpoint.caller.scheme], principalId: "p1" },
    },
    ...changes,
  } as unknown as APIGatewayProxyEvent;
}

const maximumProblemBytes = 16 * 1024;
const context = { getRemainingTimeInMillis: () => 8_000 } as unknown as Context;

/** Calls a handler and asserts that it does not fail and that an error has the API's shape and at most 16 KB. */
export async function assertBounded(
  handler: LambdaHandler,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  const result = await handler(event, { ...context });
  const { statusCode, headers = {}, body } = result;
  assert.ok(statusCode < 500, `${statusCode}: ${body.slice(0, 300)}`);
  if (statusCode < 400) return result;
  const bytes = Buffer.byteLength(body);
  assert.ok(bytes <= maximumProblemBytes, `A problem of ${bytes} bytes: ${body.slice(0, 300)}`);
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  assertProblem({ status: statusCode, headers: Object.fromEntries(lowerCase), body: Buffer.from(body) });
  return result;
}

/** Garbage collection and other threads hide shorter times. */
const resolutionMs = 4;
const maximumTries = 3;

/**
 * The processor time in milliseconds that this process spends on a piece of work: the lowest of several tries, because other work of the
 * process can only add to it.
 *
 * @param enough stops after a try that took at most this long.
 */
export async function costOf(work: () => Promise<unknown>, enough = 0): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < maximumTries && leastMs > Math.max(enough, resolutionMs); tries++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return Math.max(leastMs, resolutionMs);
}
