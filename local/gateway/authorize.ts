import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from "aws-lambda";
import type { GatewayResponseType } from "../../functions/api/gatewayResponses.ts";

export type Authorizer = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

export interface AuthorizerConfiguration {
  authorizer: Authorizer;
  /** A regular expression for the whole Authorization header. */
  identityValidationExpression: string;
}

export type Authorization = { context: Record<string, unknown> } | { refusal: GatewayResponseType };

/**
 * Works as API Gateway does with a TOKEN authorizer: the token must match the identity validation expression before any function
 * runs, the policy must allow the method, and the context's values become strings.
 */
export async function authorize(
  { authorizer, identityValidationExpression }: AuthorizerConfiguration,
  token: string | undefined,
  methodArn: string,
): Promise<Authorization> {
  if (token === undefined || !new RegExp(identityValidationExpression).test(token)) {
    return { refusal: "UNAUTHORIZED" };
  }
  let result: APIGatewayAuthorizerResult;
  try {
    result = await authorizer({ type: "TOKEN", authorizationToken: token, methodArn });
  } catch {
    // The authorizer has logged the error.
    return { refusal: "AUTHORIZER_CONFIGURATION_ERROR" };
  }
  if (!isAllowed(result, methodArn)) return { refusal: "ACCESS_DENIED" };
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
