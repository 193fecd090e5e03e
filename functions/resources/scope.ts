import * as z from "zod";

/** What a key may do. `read` belongs to every key; each write has a scope of its own. */
export const Scope = z.enum(["read", "write:balance_payments", "write:orders"]).meta({
  id: "Scope",
  description:
    "`read`: every read endpoint, held by every key. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.",
});
export type Scope = z.infer<typeof Scope>;
