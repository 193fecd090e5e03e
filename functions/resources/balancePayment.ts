import * as z from "zod";
import { Instant, ServiceTime } from "../values/instant.ts";
import { Currency, Id, nullableText, Pence, timeOf } from "./fields.ts";
import { added, latestFirst, resource } from "./resource.ts";

const shared = {
  type: z.enum(["payment", "refund"], "Must be payment or refund.").meta({ description: "Direction of the money." }),
};
const maximumTextLength = 255;

export const BalancePayment = z
  .object({
    id: Id.meta({ description: "Balance payment id, assigned by this service." }),
    event_id: Id.meta({ description: "Id of the event." }),
    ...shared,
    amount: Pence.positive().meta({ description: "Amount in pence; always positive." }),
    date: Instant.meta(timeOf("When the payment happened, ISO 8601.")),
    method: z.string().nullable().meta({ description: "Method of payment." }),
    external_reference: z
      .string()
      .nullable()
      .meta({ description: "Reference in the other system; null also after it was removed." }),
    note: z.string().nullable().meta({ description: "Free text; null also after it was removed." }),
    balance_after: Pence.meta({
      description: "The event's recorded balance after this entry: payments less refunds, in pence.",
    }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the event's currency." }),
    currency: added(
      Currency.nullable().meta({ description: "ISO 4217 code of the event's currency; null if unknown." }),
    ),
    date_created: ServiceTime.meta({ description: "When this service recorded it." }),
    api_key_prefix: z.string().meta({ description: "Prefix of the API key that recorded it." }),
  })
  .meta({
    id: "BalancePayment",
    description:
      "An external payment or refund recorded against an event's balance, apart from buyers' payments. Only its `external_reference` and `note` can change: the platform team can remove them, and the deletion of the event does.",
    examples: [
      {
        id: 108427526232226,
        event_id: 15082,
        type: "payment",
        amount: 25000,
        date: "2025-11-03T09:00:00Z",
        method: "bank transfer",
        external_reference: "INV-2210",
        note: null,
        balance_after: 75000,
        currency_symbol: "$",
        currency: "USD",
        date_created: "2025-11-03T09:12:44.021Z",
        api_key_prefix: "tsk_4fQ9wLxT",
      },
    ],
  });
export type BalancePayment = z.infer<typeof BalancePayment>;

export const balancePayments = resource({
  type: "balance_payment",
  schema: BalancePayment,
  short: ["id", "type", "amount", "date", "balance_after", "currency"],
  lists: { ofEvent: { index: "GSI1", under: "event", field: "event_id", order: latestFirst("date_created") } },
});

export const BalancePaymentInput = z
  .strictObject({
    ...shared,
    amount: z
      .int("Must be an integer, in pence.")
      .positive("Must be greater than 0.")
      .meta({ description: "Amount in pence." }),
    date: Instant.nullish().meta(timeOf("When the payment happened, ISO 8601, at most a day ahead; now by default.")),
    method: nullableText(1, maximumTextLength).optional().meta({ description: "Method of payment." }),
    external_reference: nullableText(1, maximumTextLength)
      .optional()
      .meta({ description: "Reference in your system." }),
    note: nullableText(1, 2_000).optional().meta({ description: "Free text." }),
  })
  .meta({
    id: "BalancePaymentInput",
    description: "A balance payment or refund to record.",
    examples: [{ type: "payment", amount: 25000, method: "bank transfer", external_reference: "INV-2210" }],
  });
export type BalancePaymentInput = z.infer<typeof BalancePaymentInput>;
