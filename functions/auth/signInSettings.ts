import * as z from "zod";

/** Which identity provider's ID tokens are accepted, and where they say what matters here. */
export interface SignInSettings {
  issuer: string;
  /** The audience that an ID token must be for. */
  clientId: string;
  /** The claim with the person's organisation, by its id. */
  organisationClaim: string;
  /** The claim with the list of the person's roles. */
  rolesClaim: string;
  /** The role that alone may create, view and revoke keys. */
  superAdminRole: string;
}

/** As Amazon Cognito names them. */
export const defaultClaims = {
  organisationClaim: "custom:organisation_id",
  rolesClaim: "cognito:groups",
  superAdminRole: "super-admin",
};

const Environment = z.object({
  SIGN_IN_ISSUER: z.url(),
  SIGN_IN_CLIENT_ID: z.string().min(1),
  SIGN_IN_ORGANISATION_CLAIM: z.string().min(1),
  SIGN_IN_ROLES_CLAIM: z.string().min(1),
  SIGN_IN_SUPER_ADMIN_ROLE: z.string().min(1),
});

/** The environment by which a function gets the settings. */
export function signInEnvironment(settings: SignInSettings): z.infer<typeof Environment> {
  return {
    SIGN_IN_ISSUER: settings.issuer,
    SIGN_IN_CLIENT_ID: settings.clientId,
    SIGN_IN_ORGANISATION_CLAIM: settings.organisationClaim,
    SIGN_IN_ROLES_CLAIM: settings.rolesClaim,
    SIGN_IN_SUPER_ADMIN_ROLE: settings.superAdminRole,
  };
}

/** The settings in this process's environment. */
export function signInSettings(): SignInSettings {
  const environment = Environment.parse(process.env);
  return {
    issuer: environment.SIGN_IN_ISSUER,
    clientId: environment.SIGN_IN_CLIENT_ID,
    organisationClaim: environment.SIGN_IN_ORGANISATION_CLAIM,
    rolesClaim: environment.SIGN_IN_ROLES_CLAIM,
    superAdminRole: environment.SIGN_IN_SUPER_ADMIN_ROLE,
  };
}
