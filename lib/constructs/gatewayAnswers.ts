import { Validations } from "aws-cdk-lib";
import {
  AuthorizationType,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from "aws-cdk-lib/aws-apigateway";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
} from "../../functions/http/gatewayResponses.ts";

const requestId = "$context.requestId";

/** Gives the gateway's own errors the API's problem format. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, response] of Object.entries(gatewayResponses)) {
    const { statusCode, headers, body } = renderGatewayResponse(response, requestId);
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(statusCode),
      responseHeaders: mapValues(headers, mappingExpression),
      templates: { "application/json": body },
    });
  }
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

/** Responds to every undefined method of the resource, without running a function or authorizing the caller. */
export function addMockAnswer(resource: IResource, response: GatewayResponse): void {
  const { statusCode, headers, body } = renderGatewayResponse(response, requestId);
  const parameter = (name: string) => `method.response.header.${name}`;
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: Object.fromEntries(requestTypes.map((type) => [type, JSON.stringify({ statusCode })])),
    integrationResponses: [
      {
        statusCode: String(statusCode),
        responseParameters: mapValues(headers, mappingExpression, parameter),
        responseTemplates: { "application/json": body },
      },
    ],
  });
  const method = resource.addMethod("ANY", integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [
      { statusCode: String(statusCode), responseParameters: mapValues(headers, () => true, parameter) },
    ],
  });
  Validations.of(method).acknowledge({
    id: "AwsSolutions-APIG4",
    reason: "A fixed error response for every caller: it reads no data and runs no function.",
  });
}

/** A header's value in the gateway's mapping language: a context variable or a quoted text. */
function mappingExpression(value: string): string {
  return value === requestId ? value.slice(1) : `'${value}'`;
}

function mapValues<Value>(
  texts: Record<string, string>,
  toValue: (text: string) => Value,
  toName = (name: string) => name,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [toName(name), toValue(text)]));
}
