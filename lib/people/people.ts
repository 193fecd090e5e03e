import { Aws, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AccountRecovery,
  CfnUserPool,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  StringAttribute,
  UserPool,
  type UserPoolDomain,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import type { Settings, Stage } from "../settings.ts";

/** The custom attribute; its claim is `custom:organisation_id`. */
export const organisationAttribute = "organisation_id";
/** Optional, for the header of the Developer area. */
export const organisationNameAttribute = "organisation_name";

/** The people who may sign in. Only the platform team adds them, and they cannot change their organisation or group. */
export class People extends Construct {
  readonly pool: UserPool;
  readonly domain: UserPoolDomain;

  constructor(scope: Construct, id: string, { stage, signInSuperAdminRole, signInEmail, signInMfa }: Settings) {
    super(scope, id);
    this.pool = this.makePool(stage, (signInMfa ?? (stage === "prod" ? "required" : "optional")) === "required");
    if (signInEmail !== undefined) sendFrom(this.pool, signInEmail);
    this.domain = this.pool.addDomain("Domain", {
      cognitoDomain: { domainPrefix: `ticketing-${stage}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    this.pool.addGroup("SuperAdmins", {
      groupName: signInSuperAdminRole,
      description: "May create, view and revoke the API keys of their organisation",
    });
  }

  private makePool(stage: Stage, needsMfa: boolean): UserPool {
    const isDisposable = stage === "dev";
    const pool = new UserPool(this, "Pool", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      customAttributes: {
        [organisationAttribute]: new StringAttribute({ minLen: 1, maxLen: 16, mutable: true }),
        [organisationNameAttribute]: new StringAttribute({ maxLen: 200, mutable: true }),
      },
      mfa: needsMfa ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: !isDisposable,
      removalPolicy: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    acknowledgeFindings(pool);
    if (!needsMfa)
      Validations.of(pool).acknowledge({
        id: "AwsSolutions-COG2",
        reason: "A setting makes the second factor optional.",
      });
    return pool;
  }
}

/** The CDK's own option needs a region that is known before the deployment. */
function sendFrom(pool: UserPool, email: string): void {
  const { defaultChild } = pool.node;
  if (!CfnUserPool.isCfnUserPool(defaultChild)) throw new Error("The user pool has no resource of its own.");
  const resourceName = email.replace(/^.*@/, "");
  defaultChild.emailConfiguration = {
    emailSendingAccount: "DEVELOPER",
    from: email,
    sourceArn: Stack.of(pool).formatArn({ service: "ses", resource: "identity", resourceName }),
  };
}

function acknowledgeFindings(pool: UserPool): void {
  Validations.of(pool).acknowledge(
    {
      id: "AwsSolutions-COG3",
      reason:
        "Threat protection needs a more expensive plan, which a small pool without self sign-up does not justify.",
    },
    { id: "AwsSolutions-COG8", reason: "The more expensive plan only adds threat protection." },
  );
}
