import { Aws, CfnOutput, Duration, Lazy, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StringAttribute,
  UserPool,
  type UserPoolClient,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import type { SignInSettings } from "../../functions/auth/signInSettings.ts";
import type { Settings } from "../settings.ts";

/** The scopes that the page requests. `profile` gives all claims that the client may read. */
const scopes = [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE];

/** The custom attribute; its claim is `custom:organisation_id`. */
const organisationAttribute = "organisation_id";

/**
 * The Developer area's identity provider: the stack's own user pool, or the provider in the settings. Only the platform team creates users
 * in the pool, and users cannot change their organisation or group.
 */
export class SignIn extends Construct {
  readonly settings: SignInSettings;
  /** The origins that the page sends requests to. */
  readonly origins: string[];
  private readonly pageUrls: string[] = [];

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const claims = {
      organisationClaim: settings.signInOrganisationClaim,
      rolesClaim: settings.signInRolesClaim,
      superAdminRole: settings.signInSuperAdminRole,
    };
    if (settings.signInIssuer !== undefined && settings.signInClientId !== undefined) {
      const issuer = settings.signInIssuer;
      this.settings = { issuer, clientId: settings.signInClientId, ...claims };
      this.origins = [...new Set([new URL(issuer).origin, ...(settings.signInOrigins ?? [])])];
      return;
    }
    const pool = this.userPool(settings);
    const client = this.client(pool);
    const domain = pool.addDomain("Domain", {
      cognitoDomain: { domainPrefix: `ticketing-${settings.stage}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    pool.addGroup("SuperAdmins", {
      groupName: settings.signInSuperAdminRole,
      description: "May create, view and revoke the API keys of their organisation",
    });
    this.settings = { issuer: pool.userPoolProviderUrl, clientId: client.userPoolClientId, ...claims };
    this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, domain.baseUrl()];
    new CfnOutput(Stack.of(this), "UserPoolId", { value: pool.userPoolId });
  }

  /** Allows redirects to the page at this URL after sign-in and sign-out. */
  servePage(url: string): void {
    this.pageUrls.push(url);
  }

  private userPool({ stage }: Settings): UserPool {
    const isDisposable = stage === "dev";
    const pool = new UserPool(this, "People", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      customAttributes: { [organisationAttribute]: new StringAttribute({ minLen: 1, maxLen: 16, mutable: true }) },
      mfa: Mfa.OPTIONAL,
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
    return pool;
  }

  /** A page cannot keep a secret, so the client has none. PKCE protects the authorization code instead. */
  private client(pool: UserPool): UserPoolClient {
    const pageUrls = Lazy.list({ produce: () => this.pageUrls });
    const client = pool.addClient("DeveloperArea", {
      generateSecret: false,
      // People sign in only on Cognito's own page. By default another flow would be enabled.
      authFlows: { userSrp: false },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes,
        callbackUrls: pageUrls,
        logoutUrls: pageUrls,
      },
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true })
        .withCustomAttributes(organisationAttribute),
      // A writable email would allow impersonation in the audit trail; a writable organisation, access to other organisations' keys.
      writeAttributes: new ClientAttributes().withStandardAttributes({ givenName: true, familyName: true }),
      idTokenValidity: Duration.minutes(15),
      accessTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.hours(12),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    });
    // Without a style, managed login shows no page for the client.
    new CfnManagedLoginBranding(this, "Style", {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    return client;
  }
}

function acknowledgeFindings(pool: UserPool): void {
  Validations.of(pool).acknowledge(
    {
      id: "AwsSolutions-COG2",
      reason: "A second factor is optional; the platform team decides who must use one.",
    },
    {
      id: "AwsSolutions-COG3",
      reason:
        "Threat protection needs a more expensive plan, which a small pool without self sign-up does not justify.",
    },
    { id: "AwsSolutions-COG8", reason: "The more expensive plan only adds threat protection." },
  );
}
