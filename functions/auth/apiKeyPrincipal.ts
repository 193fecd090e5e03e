import * as z from "zod";
import { Scope } from "./scope.ts";

/**
 * The API key that calls. The authorizer encodes it into its context, whose values API Gateway passes on as strings;
 * the endpoint decodes it. One schema at both ends, so that they cannot disagree.
 */
export const ApiKeyPrincipal = z.codec(
  z.object({
    organisationId: z.string(),
    keyId: z.string(),
    keyName: z.string(),
    keyPrefix: z.string(),
    scopes: z.string(),
  }),
  z.object({
    organisationId: z.int().positive(),
    keyId: z.string(),
    keyName: z.string(),
    keyPrefix: z.string(),
    scopes: z.array(Scope),
  }),
  {
    decode: (context) => ({
      ...context,
      organisationId: Number(context.organisationId),
      scopes: context.scopes.split(" ").map((scope) => Scope.parse(scope)),
    }),
    encode: (principal) => ({
      ...principal,
      organisationId: String(principal.organisationId),
      scopes: principal.scopes.join(" "),
    }),
  },
);
export type ApiKeyPrincipal = z.output<typeof ApiKeyPrincipal>;
