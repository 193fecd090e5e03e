import * as z from "zod";

/** A permission of an API key. Every key has `read`; each kind of write has its own scope. */
export const Scope = z
  .enum(["read", "write:balance_payments", "write:orders"], "Must be read, write:balance_payments or write:orders.")
  .meta({
    id: "Scope",
    description:
      "`read`: every read endpoint; every key has it. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.",
  });
export type Scope = z.infer<typeof Scope>;
