import * as z from "../zod.ts";
import type { Configuration } from "./configuration.ts";

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
