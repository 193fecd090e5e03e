import { Aws } from "aws-cdk-lib";
import { type Endpoint, methodsOf } from "../../functions/api/endpoint.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
  unknownMethod,
  unknownPath,
} from "../../functions/api/gatewayResponses.ts";

/*
 * The API as an OpenAPI document with API Gateway's extensions
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html). It counts as one resource of the stack,
 * where CDK's methods, paths and gateway responses would count as three for each endpoint.
 */

const requestId = "$context.requestId";

export interface Authorizer {
  functionArn: string;
  /** The gateway rejects headers that do not match this pattern, without calling the function. */
  pattern: string;
}

interface GatewayDefinitionProps {
  title: string;
  endpoints: readonly Endpoint[];
  authorizers: Record<Endpoint["caller"]["scheme"], Authorizer>;
  /** Makes an endpoint's function. @returns its ARN. */
  functionOf: (endpoint: Endpoint) => string;
  /** The gateway's role for calling functions. */
  callerArn: string;
}

export function gatewayDefinition({ title, endpoints, authorizers, functionOf, callerArn }: GatewayDefinitionProps) {
  const byPath = Map.groupBy(endpoints, ({ path }): string => path);
  const paths = new Set(["/", "/{proxy+}", ...endpoints.flatMap(({ path }) => pathsTo(path))]);
  const pathItem = (path: string) => {
    const own = byPath.get(path) ?? [];
    const methods = own.flatMap((endpoint) => {
      const operation = {
        ...parametersOf(path),
        security: [{ [endpoint.caller.scheme]: [] }],
        responses: {},
        "x-amazon-apigateway-integration": {
          type: "aws_proxy",
          httpMethod: "POST",
          uri: invocationOf(functionOf(endpoint)),
          credentials: callerArn,
        },
      };
      return methodsOf(endpoint).map((method) => [method.toLowerCase(), operation]);
    });
    const others = own.length > 0 ? unknownMethod(own.flatMap(methodsOf)) : unknownPath;
    return { ...Object.fromEntries(methods), "x-amazon-apigateway-any-method": mock(others, path) };
  };
  return {
    openapi: "3.0.1",
    info: { title, version: "1" },
    paths: Object.fromEntries([...paths].map((path) => [path, pathItem(path)])),
    components: { securitySchemes: mapValues(authorizers, (authorizer) => securityScheme(authorizer, callerArn)) },
    "x-amazon-apigateway-gateway-responses": {
      ...mapValues(gatewayResponses, gatewayResponse),
      DEFAULT_4XX: otherRefusals,
    },
  };
}

/** Nothing is cached, so that a revoked key stops working at once. */
function securityScheme({ functionArn, pattern }: Authorizer, callerArn: string) {
  return {
    type: "apiKey",
    name: "Authorization",
    in: "header",
    "x-amazon-apigateway-authtype": "custom",
    "x-amazon-apigateway-authorizer": {
      type: "token",
      authorizerUri: invocationOf(functionArn),
      authorizerCredentials: callerArn,
      identityValidationExpression: pattern,
      authorizerResultTtlInSeconds: 0,
    },
  };
}

function gatewayResponse(response: GatewayResponse) {
  const { statusCode, headers, body } = renderGatewayResponse(response, requestId);
  return {
    statusCode: String(statusCode),
    responseParameters: mapValues(headers, mappingExpression, (name) => `gatewayresponse.header.${name}`),
    responseTemplates: { "application/json": body },
  };
}

/** The response to every 4xx type without a response of its own. Each keeps its own status code, so the body has none. */
const otherRefusals = withoutStatus(gatewayResponse(gatewayResponses.BAD_REQUEST_PARAMETERS));

function withoutStatus({ responseParameters, responseTemplates }: ReturnType<typeof gatewayResponse>) {
  const { status: _status, title: _title, ...others } = JSON.parse(responseTemplates["application/json"]);
  return { responseParameters, responseTemplates: { "application/json": JSON.stringify(others) } };
}

/**
 * A mock needs a request template for the request's Content-Type, and a wildcard is not possible. These are the types that clients commonly
 * send. For any other type the gateway returns a 415 problem. Passing the body through instead would make the mock fail with 500, because
 * it expects a status code in it.
 */
const requestTypes = [
  "application/json",
  "application/merge-patch+json",
  "application/problem+json",
  "application/x-www-form-urlencoded",
  "application/xml",
  "application/octet-stream",
  "multipart/form-data",
  "text/plain",
  "text/xml",
];

/** Responds to every undefined method of a path, without running a function or authorizing the caller. */
function mock(response: GatewayResponse, path: string) {
  const { statusCode, headers, body } = renderGatewayResponse(response, requestId);
  const header = { schema: { type: "string" } };
  return {
    ...parametersOf(path),
    responses: { [statusCode]: { description: response.detail, headers: mapValues(headers, () => header) } },
    "x-amazon-apigateway-integration": {
      type: "mock",
      passthroughBehavior: "never",
      requestTemplates: Object.fromEntries(requestTypes.map((type) => [type, JSON.stringify({ statusCode })])),
      responses: {
        default: {
          statusCode: String(statusCode),
          responseParameters: mapValues(headers, mappingExpression, (name) => `method.response.header.${name}`),
          responseTemplates: { "application/json": body },
        },
      },
    },
  };
}

/** `/v1/events` gives `/v1` and `/v1/events`. */
function pathsTo(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_segment, index) => segments.slice(0, index + 2).join("/"));
}

function parametersOf(path: string) {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return names.length > 0 ? { parameters } : {};
}

function invocationOf(functionArn: string): string {
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
}

/** A header's value in the gateway's mapping language: a context variable or a quoted text. */
function mappingExpression(value: string): string {
  return value === requestId ? value.slice(1) : `'${value}'`;
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  toResult: (value: Value) => Result,
  toName = (name: string) => name,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [toName(name), toResult(value)]));
}
