import { Validations } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { secretName } from "../shared/secretName.ts";

/** The header that shows that a request came through the distribution. */
export const originSecretHeader = "X-Origin-Secret";

/** Makes the value of the header. CloudFormation passes it to the distribution and the web ACL, so the template does not contain it. */
export function originSecret(scope: Construct, id: string): string {
  const secret = new Secret(scope, id, {
    secretName: secretName(scope, "origin"),
    description: "Sent by the distribution to the API, whose web ACL refuses requests without it",
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions-SMG4",
    reason: "Rotation would need a deployment, because the distribution and the web ACL must change together.",
  });
  return secret.secretValue.unsafeUnwrap();
}
