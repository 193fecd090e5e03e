import { Duration } from "aws-cdk-lib";
import { TokenAuthorizer } from "aws-cdk-lib/aws-apigateway";
import type { Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { idTokenPattern } from "../../functions/auth/idTokenPattern.ts";
import { type SignInSettings, signInEnvironment } from "../../functions/auth/signInSettings.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

/**
 * Accepts ID tokens of signed-in people; each endpoint checks for the super-admin role. Nothing is cached. The gateway rejects anything not
 * shaped like a signed token, such as an API key, without calling the function.
 */
export function superAdminAuthorizer(
  scope: Construct,
  { caller, directories, signIn }: { caller: Role; directories: Directories; signIn: SignInSettings },
): TokenAuthorizer {
  const handler = serviceFunction(scope, "superAdminAuthorizer", { directories, description: "Checks ID tokens" });
  for (const [name, value] of Object.entries(signInEnvironment(signIn))) handler.addEnvironment(name, value);
  handler.grantCall(caller);
  return new TokenAuthorizer(scope, "SuperAdmins", {
    handler: handler.live,
    assumeRole: caller.withoutPolicyUpdates(),
    validationRegex: idTokenPattern,
    resultsCacheTtl: Duration.seconds(0),
  });
}
