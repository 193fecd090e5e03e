import * as z from "zod";
import { idText } from "../resources/resourceId.ts";

/**
 * A person who is signed in. The authorizer encodes it into its context, whose values API Gateway passes on as strings; the
 * endpoint decodes it.
 */
export const PersonPrincipal = z.object({
  /** The identity provider's id of the person. It may be logged. */
  subject: z.string(),
  /** What people know the person by: the e-mail address, or the subject if the provider gives none. Never logged. */
  name: z.string(),
  /** The organisation that this person is a super-admin of; left out for everybody else, whatever they may do otherwise. */
  superAdminOf: idText().optional(),
});
export type PersonPrincipal = z.output<typeof PersonPrincipal>;
