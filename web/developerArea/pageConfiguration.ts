import type { SignInSettings } from "../../functions/auth/signInSettings.ts";

/** Where the page finds what differs from one deployment to the next. */
export const pageConfigurationPath = "/developer/config.json";

/** What the page has to know of a deployment. It is public: the same is in every address that the page sends people to for signing in. */
export function pageConfiguration({ issuer, clientId, organisationClaim }: SignInSettings) {
  return { issuer, client_id: clientId, scope: "openid email profile", organisation_claim: organisationClaim };
}
