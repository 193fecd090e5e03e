import type { APIGatewayProxyEvent } from "aws-lambda";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { ApiKeyPrincipal, Scope } from "../../../functions/keys/apiKeyPrincipal.ts";
import { PersonPrincipal } from "../../../functions/people/personPrincipal.ts";
import { exampleBody } from "../../support/http/exampleBody.ts";
import { hasId } from "../../support/http/examples.ts";

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
