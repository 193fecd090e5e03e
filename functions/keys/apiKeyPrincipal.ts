import * as z from "zod";
import { idText } from "../resources/fields.ts";

/** The meaning of each scope. Every key has `read`; each kind of write has a scope of its own. */
const allowed = {
  read: "every read endpoint; every key has it",
  "write:balance_payments": "recording balance payments and refunds",
  "write:orders": "updating an order's admin note",
};
// Object.keys loses the type of the names.
const names = Object.keys(allowed) as (keyof typeof allowed)[];

export const Scope = z.enum(names, `Must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`).meta({
  id: "Scope",
  description: names.map((name) => `\`${name}\`: ${allowed[name]}.`).join(" "),
});
export type Scope = z.infer<typeof Scope>;

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
