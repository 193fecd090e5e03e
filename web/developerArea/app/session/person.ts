import * as z from "../zod.ts";

const Claims = z.looseObject({ sub: z.string(), exp: z.number(), email: z.optional(z.string()) });
const OrganisationId = z.union([z.string(), z.number()]);

/** Who is signed in, as the ID token says. The page only shows it; what may be done is the API's decision. */
export interface Person {
  subject: string;
  email: string;
  organisationId: string | null;
}

/** Reads an ID token's claims: the person, and when the token expires. */
export function readClaims(claims: unknown, organisationClaim: string): { person: Person; expires: Date } {
  const { sub, email, exp, ...others } = Claims.parse(claims);
  const organisation = OrganisationId.safeParse(others[organisationClaim]);
  const organisationId = organisation.success ? String(organisation.data) : null;
  return { person: { subject: sub, email: email ?? sub, organisationId }, expires: new Date(exp * 1000) };
}
