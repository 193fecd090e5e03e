import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { Currency, Id, Pence, timeOf } from "./fields.ts";
import { added, latestFirst, resource } from "./resource.ts";

export const Payment = z
  .object({
    id: Id.meta({ description: "Payment id." }),
    order_id: Id.nullable().meta({ description: "Id of the order, if any." }),
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.nullable().meta({ description: "Id of the event date, if any." }),
    type: z.enum(["payment", "refund"]).meta({ description: "Direction of the money." }),
    status: z.enum(["pending", "confirmed", "failed", "cancelled"]).meta({
      description:
        "State of the payment. Summaries count only `confirmed` payments, with an order in any state or without one.",
    }),
    amount: Pence.nonnegative().meta({ description: "Amount in pence; never negative." }),
    method: z.string().nullable().meta({ description: "Method of payment, in the organisation's own words." }),
    provider: z.string().nullable().meta({ description: "Payment provider, in the organisation's own words." }),
    external_reference: z.string().nullable().meta({ description: "Reference at the provider." }),
    refunded_payment_id: Id.nullable().meta({ description: "For a refund, the id of the refunded payment, if known." }),
    reason: z.string().nullable().meta({ description: "Reason for the refund or failure." }),
    date_created: Instant.meta(timeOf("Creation time, ISO 8601.")),
    date_completed: Instant.nullable().meta(timeOf("When the payment was confirmed, failed or was cancelled.")),
    currency: added(
      Currency.nullable().meta({
        description:
          "ISO 4217 code of the amount's currency. If null, it is the order's or, without an order, the event's.",
      }),
    ),
  })
  .meta({
    id: "Payment",
    description: "A payment from a buyer, or a refund to one.",
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
        currency: "USD",
      },
    ],
  });
export type Payment = z.infer<typeof Payment>;

export const payments = resource({
  type: "payment",
  schema: Payment,
  short: ["id", "order_id", "type", "status", "amount", "currency", "date_completed"],
  lists: {
    ofEvent: { index: "GSI1", under: "event", field: "event_id", order: latestFirst("date_created") },
    ofOrder: { index: "GSI2", under: "order", field: "order_id", order: latestFirst("date_created") },
    all: {
      index: "GSI4",
      all: "ALLPAYMENTS",
      order: latestFirst("date_completed"),
      range: {
        prefix: "completed_",
        verb: "were completed",
        examples: { from: "2025-10-01T00:00:00Z", to: "2025-11-01T00:00:00Z" },
      },
    },
  },
  expand: { order: { one: "order", field: "order_id" }, event: { one: "event", field: "event_id" } },
});
