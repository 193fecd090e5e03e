import type { APIGatewayAuthorizerResult } from "aws-lambda";

/** Allows the caller every path of the stage. The gateway does not cache decisions, so this applies to one request only. */
export function allow(
  methodArn: string,
  principalId: string,
  context: Record<string, string>,
): APIGatewayAuthorizerResult {
  return { ...policy("Allow", methodArn, principalId), context };
}

/** The gateway returns 401. */
export function deny(methodArn: string): APIGatewayAuthorizerResult {
  return policy("Deny", methodArn, "unknown");
}

/**
 * @param methodArn `arn:…:API/STAGE/METHOD/PATH`. The path comes from the client and stays out of the policy: it may contain wildcards
 * and policy variables, and AWS limits a resource to 512 characters.
 */
function policy(Effect: "Allow" | "Deny", methodArn: string, principalId: string): APIGatewayAuthorizerResult {
  const stageArn = methodArn.split("/", 2).join("/");
  const Statement = [{ Action: "execute-api:Invoke", Effect, Resource: `${stageArn}/*` }];
  return { principalId, policyDocument: { Version: "2012-10-17", Statement } };
}
