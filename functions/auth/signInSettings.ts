import * as z from "zod";

/** The identity provider whose ID tokens are accepted, and the claims that the service reads. */
export interface SignInSettings {
  issuer: string;
  /** The audience of accepted ID tokens. */
  clientId: string;
  /** The claim with the id of the person's organisation. */
  organisationClaim: string;
  /** The claim with the organisation's name, which only the page shows. */
  organisationNameClaim?: string | undefined;
  /** The claim with the list of the person's roles. */
  rolesClaim: string;
  /** Only people with this role may create, view and revoke keys. */
  superAdminRole: string;
}

/** The names in Amazon Cognito. */
export const defaultClaims = {
  organisationClaim: "custom:organisation_id",
  organisationNameClaim: "custom:organisation_name",
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

/** Environment variables that pass the settings to a function. */
export function signInEnvironment(settings: SignInSettings): z.infer<typeof Environment> {
  return {
    SIGN_IN_ISSUER: settings.issuer,
    SIGN_IN_CLIENT_ID: settings.clientId,
    SIGN_IN_ORGANISATION_CLAIM: settings.organisationClaim,
    SIGN_IN_ROLES_CLAIM: settings.rolesClaim,
    SIGN_IN_SUPER_ADMIN_ROLE: settings.superAdminRole,
  };
}

/** Reads the settings from this process's environment. */
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
