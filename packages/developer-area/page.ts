/**
 * The Developer area may load from and call only its own origin, and call the identity provider for its metadata and tokens.
 * @param connectOrigins such as `https://id.example.org`: the issuer's origin, and its token endpoint's if that differs.
 */
export function developerAreaContentSecurityPolicy(connectOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const pageConfigurationPath = "/developer/config.json";

/** The identity provider, and the claims of its ID tokens that the page reads. */
interface SignInSettings {
  issuer: string;
  clientId: string;
  organisationClaim: string;
  organisationNameClaim?: string | undefined;
}

/** The page's settings for a deployment. They are public: every sign-in URL contains them. */
export function pageConfiguration({ issuer, clientId, organisationClaim, organisationNameClaim }: SignInSettings) {
  return {
    issuer,
    client_id: clientId,
    scope: "openid email profile",
    organisation_claim: organisationClaim,
    organisation_name_claim: organisationNameClaim,
  };
}
