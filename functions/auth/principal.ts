import * as z from "zod";

/** What a key may do. `read` belongs to every key; each write has a scope of its own. */
export const Scope = z.enum(["read", "write:balance_payments", "write:orders"]).meta({
  id: "Scope",
  description:
    "`read`: every read endpoint, held by every key. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.",
});
export type Scope = z.infer<typeof Scope>;

/**
 * Who calls with an API key. The authorizer encodes it into its context, whose values API Gateway passes on as strings;
 * the endpoint decodes it. One schema at both ends, so that they cannot disagree.
 */
export const Principal = z.codec(
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
export type Principal = z.output<typeof Principal>;
