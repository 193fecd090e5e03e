import * as z from "zod";
import { idText } from "../resources/fields.ts";

/** A permission of an API key. Every key has `read`; each kind of write has its own scope. */
export const Scope = z
  .enum(["read", "write:balance_payments", "write:orders"], "Must be read, write:balance_payments or write:orders.")
  .meta({
    id: "Scope",
    description:
      "`read`: every read endpoint; every key has it. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.",
  });
export type Scope = z.infer<typeof Scope>;

/**
 * The calling API key. The authorizer encodes it into its context, which API Gateway passes to the endpoint as strings. The endpoint
 * decodes it with the same schema.
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
