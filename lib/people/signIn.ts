import { readFileSync } from "node:fs";
import { Aws, Duration, Lazy } from "aws-cdk-lib";
import {
  CfnManagedLoginBranding,
  type CfnManagedLoginBrandingProps,
  ClientAttributes,
  type IUserPool,
  OAuthScope,
  UserPoolClient,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import type { SignInSettings } from "../../functions/people/signInSettings.ts";
import type { Settings } from "../settings.ts";
import { organisationAttribute, organisationNameAttribute, type People } from "./people.ts";

/** The scopes that the page requests. `profile` gives all claims that the client may read. */
const scopes = [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE];

/** The Developer area's identity provider: the stage's own user pool, or the provider in the settings. */
export class SignIn extends Construct {
  readonly settings: SignInSettings;
  readonly origins: string[];
  private readonly pageUrls: string[] = [];

  /** @param people the user pool, needed if the settings name no other provider. */
  constructor(scope: Construct, id: string, settings: Settings, people: People | undefined) {
    super(scope, id);
    const claims = {
      organisationClaim: settings.signInOrganisationClaim,
      organisationNameClaim: settings.signInOrganisationNameClaim,
      rolesClaim: settings.signInRolesClaim,
      superAdminRole: settings.signInSuperAdminRole,
    };
    if (people) {
      const { pool, domain } = people;
      const client = this.client(pool);
      this.settings = { issuer: pool.userPoolProviderUrl, clientId: client.userPoolClientId, ...claims };
      this.origins = [`https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`, domain.baseUrl()];
      return;
    }
    const { signInIssuer: issuer, signInClientId: clientId, signInOrigins = [] } = settings;
    if (issuer === undefined || clientId === undefined) throw new Error("The stage has no identity provider.");
    this.settings = { issuer, clientId, ...claims };
    this.origins = [...new Set([new URL(issuer).origin, ...signInOrigins])];
  }

  /** Allows redirects to the page at this URL after sign-in and sign-out. */
  servePage(url: string): void {
    this.pageUrls.push(url);
  }

  /** A page cannot keep a secret, so the client has none. PKCE protects the authorization code instead. */
  private client(pool: IUserPool): UserPoolClient {
    const pageUrls = Lazy.list({ produce: () => this.pageUrls });
    const client = new UserPoolClient(this, "DeveloperArea", {
      userPool: pool,
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
        .withCustomAttributes(organisationAttribute, organisationNameAttribute),
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
      ...signInStyle,
    });
    return client;
  }
}

const mark = readFileSync(new URL("../../packages/reference/favicon.svg", import.meta.url)).toString("base64");
const svg = { bytes: mark, colorMode: "DYNAMIC", extension: "SVG" };

const teal = { backgroundColor: "0f766eff", textColor: "ffffffff" };
const darkTeal = { backgroundColor: "115e59ff", textColor: "ffffffff" };
const lightTeal = { backgroundColor: "7accc2ff", textColor: "000716ff" };

/**
 * The mark and the colour of the Developer area, on Cognito's own page. Cognito keeps its defaults for all other settings
 * (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateManagedLoginBranding.html).
 */
const signInStyle: Pick<CfnManagedLoginBrandingProps, "assets" | "settings"> = {
  assets: ["FAVICON_SVG", "FORM_LOGO"].map((category) => ({ category, ...svg })),
  settings: {
    components: {
      favicon: { enabledTypes: ["SVG"] },
      form: { logo: { enabled: true, formInclusion: "IN", location: "CENTER", position: "TOP" } },
      primaryButton: {
        lightMode: { defaults: teal, hover: darkTeal, active: darkTeal },
        darkMode: { defaults: lightTeal, hover: lightTeal, active: lightTeal },
      },
    },
  },
};
