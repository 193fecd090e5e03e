import type { APIGatewayAuthorizerResult } from "aws-lambda";

/** Lets a caller call one method: a `*` in a policy's ARN would not stop at a slash. */
export function allow(
  methodArn: string,
  principalId: string,
  context: Record<string, string>,
): APIGatewayAuthorizerResult {
  return { ...policy("Allow", methodArn, principalId), context };
}

/** Lets nobody in, which the gateway tells as 401. */
export function deny(methodArn: string): APIGatewayAuthorizerResult {
  return policy("Deny", methodArn, "unknown");
}

function policy(Effect: "Allow" | "Deny", Resource: string, principalId: string): APIGatewayAuthorizerResult {
  const Statement = [{ Action: "execute-api:Invoke", Effect, Resource }];
  return { principalId, policyDocument: { Version: "2012-10-17", Statement } };
}
