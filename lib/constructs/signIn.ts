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

/** Those that the page asks for. `profile` opens every claim that the client may read. */
const scopes = [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE];

/** The custom attribute; its claim is `custom:organisation_id`. */
const organisationAttribute = "organisation_id";

/**
 * Who signs people in to the Developer area: a user pool of the stack's own, or the provider that the settings name. People of the
 * pool are made by the platform team alone; which organisation and which group they belong to is not theirs to change.
 */
export class SignIn extends Construct {
  /** What the authorizer and the page need to know. */
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

  /** Lets people come back to the page at this URL once they are signed in, or out. */
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

  /** A page keeps no secret, so the client has none; the code it gets is of use only with the proof that the page holds (PKCE). */
  private client(pool: UserPool): UserPoolClient {
    const pageUrls = Lazy.list({ produce: () => this.pageUrls });
    const client = pool.addClient("DeveloperArea", {
      generateSecret: false,
      // People sign in on Cognito's own page, so no other way in is open. Where nothing is said, one is.
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
      // A person who could write the address would be somebody else in the audit trail, and the organisation, in everybody's keys.
      writeAttributes: new ClientAttributes().withStandardAttributes({ givenName: true, familyName: true }),
      idTokenValidity: Duration.minutes(15),
      accessTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.hours(12),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    });
    // Managed login shows no page for a client without a style.
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
      reason: "A second factor is offered. Whether each person must have one is the platform team's decision.",
    },
    {
      id: "AwsSolutions-COG3",
      reason: "Threat protection is part of a dearer plan. A pool without self sign-up, of few people, goes without.",
    },
    { id: "AwsSolutions-COG8", reason: "What the dearer plan adds is threat protection." },
  );
}
