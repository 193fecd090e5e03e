import * as z from "zod";

const text = z.string().min(1);

/** The identity provider whose ID tokens are accepted, and the claims that the service reads. */
const SignInSettings = z.object({
  issuer: z.url(),
  /** The audience of accepted ID tokens. */
  clientId: text,
  organisationClaim: text,
  /** The claim with the organisation's name, which only the page shows. */
  organisationNameClaim: text.optional(),
  rolesClaim: text,
  /** Only people with this role may administer API keys and webhooks. */
  superAdminRole: text,
});
export type SignInSettings = z.infer<typeof SignInSettings>;

/** The names in Amazon Cognito. */
export const defaultClaims = {
  organisationClaim: "custom:organisation_id",
  organisationNameClaim: "custom:organisation_name",
  rolesClaim: "cognito:groups",
  superAdminRole: "super-admin",
};

export function signInEnvironment(settings: SignInSettings) {
  return { SIGN_IN: JSON.stringify(settings) };
}

export function signInSettings(): SignInSettings {
  return SignInSettings.parse(JSON.parse(process.env.SIGN_IN ?? "{}"));
}

/** For API Gateway: an Authorization header with a signed token (RFC 7515, 3.1), and no API key. */
export const idTokenPattern = "^[Bb][Ee][Aa][Rr][Ee][Rr] +[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$";
