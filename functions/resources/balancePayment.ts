import * as z from "zod";
import { Instant } from "./instant.ts";
import { Pence } from "./pence.ts";
import { Id } from "./resourceId.ts";
import { text } from "./text.ts";

const shared = {
  type: z.enum(["payment", "refund"], "Must be payment or refund.").meta({ description: "Which way the money went." }),
};
const maximumTextLength = 255;

/** A payment for an event's balance, or a refund from it, that was recorded from outside. Nothing changes one. */
export const BalancePayment = z
  .object({
    id: Id.meta({ description: "Balance payment id, given by this service." }),
    event_id: Id.meta({ description: "The event whose balance it is for." }),
    ...shared,
    amount: Pence.positive().meta({ description: "How much, in pence; always positive." }),
    date: Instant.meta({ description: "When it happened, ISO 8601." }),
    method: z.string().nullable().meta({ description: "How it was paid." }),
    external_reference: z.string().nullable().meta({ description: "What the other system knows it by." }),
    note: z.string().nullable().meta({ description: "A note." }),
    balance_after: Pence.meta({ description: "Payments less refunds recorded for the event so far, in pence." }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the event's currency." }),
    date_created: Instant.meta({ description: "When it was recorded." }),
    api_key_prefix: z.string().meta({ description: "Prefix of the API key that recorded it." }),
  })
  .meta({
    id: "BalancePayment",
    description: "An external payment or refund recorded against an event's balance. It is never changed.",
    examples: [
      {
        id: 4003,
        event_id: 15082,
        type: "payment",
        amount: 25000,
        date: "2025-11-03T09:00:00Z",
        method: "bank transfer",
        external_reference: "INV-2210",
        note: null,
        balance_after: 75000,
        currency_symbol: "$",
        date_created: "2025-11-03T09:12:44.021Z",
        api_key_prefix: "tsk_4fQ9wLxT",
      },
    ],
  });
export type BalancePayment = z.infer<typeof BalancePayment>;

/** What a client records. */
export const NewBalancePayment = z
  .strictObject({
    ...shared,
    amount: z
      .int("Must be an integer, in pence.")
      .positive("Must be more than 0.")
      .meta({ description: "How much, in pence." }),
    date: Instant.optional().meta({ description: "When it happened; now, where left out." }),
    method: text(maximumTextLength).optional().meta({ description: "How it was paid." }),
    external_reference: text(maximumTextLength).optional().meta({ description: "What your system knows it by." }),
    note: text(2_000).optional().meta({ description: "A note." }),
  })
  .meta({
    id: "NewBalancePayment",
    description: "A balance payment or refund to record.",
    examples: [{ type: "payment", amount: 25000, method: "bank transfer", external_reference: "INV-2210" }],
  });
export type NewBalancePayment = z.infer<typeof NewBalancePayment>;
