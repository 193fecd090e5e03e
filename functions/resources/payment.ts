import * as z from "zod";
import { Instant } from "./instant.ts";
import { Pence } from "./pence.ts";
import { Id } from "./resourceId.ts";

/** A payment of a buyer's, or a refund to one. */
export const Payment = z
  .object({
    id: Id.meta({ description: "Payment id." }),
    order_id: Id.nullable().meta({ description: "The order that it is for, if it is for one." }),
    event_id: Id.meta({ description: "The event that it is for." }),
    date_id: Id.nullable().meta({ description: "The event date that it is for, if it is for one." }),
    type: z.enum(["payment", "refund"]).meta({ description: "Which way the money went." }),
    status: z
      .enum(["pending", "confirmed", "failed", "cancelled"])
      .meta({ description: "Whether the money went. Only `confirmed` ones count in summaries." }),
    amount: Pence.nonnegative().meta({ description: "How much, in pence; never negative." }),
    method: z.string().nullable().meta({ description: "How it was paid, in the organisation's own words." }),
    provider: z.string().nullable().meta({ description: "Who handled it, in the organisation's own words." }),
    external_reference: z.string().nullable().meta({ description: "What the provider knows it by." }),
    refunded_payment_id: Id.nullable().meta({ description: "Of a refund, the payment that it pays back." }),
    reason: z.string().nullable().meta({ description: "Why it was paid back, or failed." }),
    date_created: Instant.meta({ description: "When it was begun, ISO 8601." }),
    date_completed: Instant.nullable().meta({ description: "When it was confirmed, failed or was cancelled." }),
  })
  .meta({
    id: "Payment",
    description: "Money from a buyer for an order, or back to one.",
    examples: [
      {
        id: 55012,
        order_id: 90211,
        event_id: 15082,
        date_id: 1508201,
        type: "payment",
        status: "confirmed",
        amount: 5150,
        method: "card",
        provider: "stripe",
        external_reference: "pi_3Nq8",
        refunded_payment_id: null,
        reason: null,
        date_created: "2025-10-02T18:23:40Z",
        date_completed: "2025-10-02T18:24:51Z",
      },
    ],
  });
export type Payment = z.infer<typeof Payment>;
