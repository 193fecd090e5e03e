import * as z from "zod";

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
