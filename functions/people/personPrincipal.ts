import * as z from "zod";
import { idText } from "../resources/fields.ts";

/** A signed-in person. The authorizer encodes it into its context, which API Gateway passes to the endpoint as strings. */
export const PersonPrincipal = z.object({
  /** The identity provider's id of the person. It may be logged. */
  subject: z.string(),
  /** The e-mail address, or the subject if the provider gives none. Never logged. */
  name: z.string(),
  /** The organisation whose super-admin this person is, if any. */
  superAdminOf: idText().optional(),
});
export type PersonPrincipal = z.output<typeof PersonPrincipal>;
