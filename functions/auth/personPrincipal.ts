import * as z from "zod";

/**
 * A person who is signed in. The authorizer encodes it into its context, whose values API Gateway passes on as strings; the
 * endpoint decodes it.
 */
export const PersonPrincipal = z.codec(
  z.object({ subject: z.string(), name: z.string(), superAdminOf: z.string().optional() }),
  z.object({
    /** The identity provider's id of the person. It may be logged. */
    subject: z.string(),
    /** What people know the person by: the e-mail address, or the subject where the provider tells none. Never logged. */
    name: z.string(),
    /** The organisation that this person is a super-admin of; left out for everybody else, whatever they may do otherwise. */
    superAdminOf: z.int().positive().optional(),
  }),
  {
    decode: ({ superAdminOf, ...person }) => ({
      ...person,
      ...(superAdminOf === undefined ? {} : { superAdminOf: Number(superAdminOf) }),
    }),
    encode: ({ superAdminOf, ...person }) => ({
      ...person,
      ...(superAdminOf === undefined ? {} : { superAdminOf: String(superAdminOf) }),
    }),
  },
);
export type PersonPrincipal = z.output<typeof PersonPrincipal>;
