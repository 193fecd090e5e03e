import * as z from "zod";
import { idText } from "../resources/resourceId.ts";
import { Scope } from "../resources/scope.ts";

/**
 * The API key that calls. The authorizer encodes it into its context, whose values API Gateway passes on as strings;
 * the endpoint decodes it. One schema at both ends, so that they cannot disagree.
 */
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
