import * as z from "../zod.ts";

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
  /** The key's name. */
  name: string;
  /** The integration that gets it. */
  usedBy: string;
  secret: string;
}

const Claims = z.looseObject({ sub: z.string(), exp: z.number(), email: z.optional(z.string()) });
const OrganisationId = z.union([z.string(), z.number()]);
const OrganisationName = z.string().check(z.minLength(1));

/** The signed-in person, from the ID token. For display only; the API decides what is allowed. */
export interface Person {
  subject: string;
  email: string;
  /** The organisation's name, or its id in words; null without an organisation. */
  organisation: string | null;
}

type ClaimNames = Pick<Configuration, "organisation_claim" | "organisation_name_claim">;

export function readClaims(claims: unknown, names: ClaimNames): { person: Person; expires: Date } {
  const { sub, email, exp, ...others } = Claims.parse(claims);
  const id = OrganisationId.safeParse(others[names.organisation_claim]);
  const name = OrganisationName.safeParse(others[names.organisation_name_claim]);
  const organisation = id.success ? (name.data ?? `Organisation ${id.data}`) : null;
  return { person: { subject: sub, email: email ?? sub, organisation }, expires: new Date(exp * 1000) };
}

const Configuration = z.object({
  issuer: z.url(),
  client_id: z.string().check(z.minLength(1)),
  scope: z.string().check(z.minLength(1)),
  organisation_claim: z.string().check(z.minLength(1)),
  organisation_name_claim: z.string().check(z.minLength(1)),
});
/** The sign-in settings of this deployment. */
export type Configuration = z.infer<typeof Configuration>;

/** Fetches the configuration from the page's own origin. */
export async function loadConfiguration(): Promise<Configuration> {
  const response = await fetch("/developer/config.json");
  if (!response.ok) throw new Error(`/developer/config.json: status ${response.status}`);
  return Configuration.parse(await response.json());
}
