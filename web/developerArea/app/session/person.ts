import * as z from "../zod.ts";

const Claims = z.looseObject({ sub: z.string(), exp: z.number(), email: z.optional(z.string()) });
const OrganisationId = z.union([z.string(), z.number()]);

/** The signed-in person, from the ID token. For display only; the API decides what is allowed. */
export interface Person {
  subject: string;
  email: string;
  organisationId: string | null;
}

export function readClaims(claims: unknown, organisationClaim: string): { person: Person; expires: Date } {
  const { sub, email, exp, ...others } = Claims.parse(claims);
  const organisation = OrganisationId.safeParse(others[organisationClaim]);
  const organisationId = organisation.success ? String(organisation.data) : null;
  return { person: { subject: sub, email: email ?? sub, organisationId }, expires: new Date(exp * 1000) };
}
