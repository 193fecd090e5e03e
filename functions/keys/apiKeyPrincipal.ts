import * as z from "zod";
import { idText } from "../resources/fields.ts";
import { Scope } from "../resources/scope.ts";

/** The calling API key. The authorizer encodes it into its context, which API Gateway passes to the endpoint as strings. */
export const ApiKeyPrincipal = z.object({
  organisationId: idText(),
  keyId: z.string(),
  keyName: z.string(),
  keyPrefix: z.string(),
  scopes: z.codec(z.string(), z.array(Scope), {
    decode: (text) => text.split(" ").map((scope) => Scope.parse(scope)),
    encode: (scopes) => scopes.join(" "),
  }),
});
export type ApiKeyPrincipal = z.output<typeof ApiKeyPrincipal>;
