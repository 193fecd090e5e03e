import type { IdTokenClaims } from "oidc-client-ts";

export type SessionState =
  | { stage: "signingIn" }
  /** `notice`: why the session ended. `secret` stays on the screen. */
  | { stage: "signedOut"; failure: string | null; notice: string | null; secret: UnstoredSecret | null }
  /**
   * `expired`: the API rejects the token. The page stays open until the same person has signed in again.
   * `idle`: the session ends soon, because nobody uses the page.
   */
  | { stage: "signedIn"; person: Person; expired: boolean; idle: boolean; failure: string | null };

/** A key's secret that the person has not stored yet. */
export interface UnstoredSecret {
  name: string;
  secret: string;
}

/** The signed-in person, from the ID token. For display only; the API decides what is allowed. */
export interface Person {
  subject: string;
  email: string;
  /** The organisation's name, or a text with its id; null without an organisation. */
  organisation: string | null;
}

export function personOf({ sub, email = sub, ...claims }: IdTokenClaims, names: Configuration): Person {
  const id = claims[names.organisation_claim];
  const name = claims[names.organisation_name_claim];
  const isKnown = typeof id === "string" || typeof id === "number";
  const organisation = typeof name === "string" && name !== "" ? name : `Organisation ${id}`;
  return { subject: sub, email, organisation: isKnown ? organisation : null };
}

/** The sign-in settings of this deployment, as `page.ts` makes them. */
export interface Configuration {
  issuer: string;
  client_id: string;
  scope: string;
  organisation_claim: string;
  organisation_name_claim: string;
}

/** Fetches the configuration from the page's own origin. */
export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch("/developer/config.json");
  if (!response.ok) throw new Error(`/developer/config.json: status ${response.status}`);
  return response.json();
}
