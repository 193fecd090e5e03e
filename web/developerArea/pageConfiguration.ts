import type { SignInSettings } from "../../functions/people/signInSettings.ts";

export const pageConfigurationPath = "/developer/config.json";

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
