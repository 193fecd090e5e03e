import { Duration } from "aws-cdk-lib";
import { TokenAuthorizer } from "aws-cdk-lib/aws-apigateway";
import type { Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { authorizationPattern } from "../../functions/auth/apiKeySecret.ts";
import { type DataTable, reaches } from "./dataTable.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

/**
 * Accepts valid API keys. Nothing is cached, so a revoked key stops working at once. The gateway rejects malformed keys without calling
 * the function.
 */
export function apiKeyAuthorizer(
  scope: Construct,
  { caller, directories, data }: { caller: Role; directories: Directories; data: DataTable },
): TokenAuthorizer {
  const handler = serviceFunction(scope, "apiKeyAuthorizer", { directories, description: "Checks API keys" });
  data.grant(handler, ["GetItem", "UpdateItem"], reaches.apiKeyHashes);
  handler.grantCall(caller);
  return new TokenAuthorizer(scope, "ApiKeys", {
    handler: handler.live,
    assumeRole: caller.withoutPolicyUpdates(),
    validationRegex: authorizationPattern,
    resultsCacheTtl: Duration.seconds(0),
  });
}
