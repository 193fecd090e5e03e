import * as z from "zod";
import { exampleOf } from "./exampleOf.ts";
import { Instant } from "./instant.ts";
import { Pence } from "./pence.ts";
import { Id } from "./resourceId.ts";
import { text } from "./text.ts";
import { Ticket } from "./ticket.ts";

/** An order, without its tickets. */
export const Order = z
  .object({
    id: Id.meta({ description: "Order id." }),
    event_id: Id.meta({ description: "The event that it is for." }),
    date_id: Id.meta({ description: "The event date that it is for." }),
    reference: z.string().meta({ description: "What the buyer knows the order by." }),
    status: z
      .enum(["pending", "paid", "cancelled", "expired", "refunded"])
      .meta({ description: "Where the order stands. `paid` and `refunded` count as orders in summaries." }),
    date_created: Instant.meta({ description: "When it was placed, ISO 8601. Without an offset it counts as UTC." }),
    date_modified: Instant.meta({
      description: "When it was last changed, in the organisation's core system or through this API.",
    }),
    date_cancelled: Instant.nullable().meta({ description: "When it was cancelled, if it was." }),
    first_name: z.string().nullable().meta({ description: "First name of the buyer." }),
    last_name: z.string().nullable().meta({ description: "Last name of the buyer." }),
    email: z.string().nullable().meta({ description: "E-mail address of the buyer." }),
    phone: z.string().nullable().meta({ description: "Telephone number of the buyer." }),
    subtotal: Pence.meta({ description: "Sum of the tickets' prices before discounts, in pence." }),
    discount_total: Pence.meta({ description: "Sum of the discounts, in pence." }),
    fee_total: Pence.meta({ description: "Sum of the fees, in pence." }),
    tax_total: Pence.meta({ description: "Sum of the taxes, in pence." }),
    total: Pence.meta({ description: "What the order costs in all, in pence." }),
    paid_total: Pence.meta({ description: "What was paid so far, in pence." }),
    refunded_total: Pence.meta({ description: "What was paid back so far, in pence." }),
    balance: Pence.meta({ description: "What is still to be paid, in pence." }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the currency." }),
    discount_id: Id.nullable().meta({ description: "Id of the discount that was used, if one was." }),
    discount_code: z.string().nullable().meta({ description: "The code that the buyer entered for it." }),
    payment_method: z.string().nullable().meta({ description: "How it was paid, in the organisation's own words." }),
    source: z.string().nullable().meta({ description: "Where it was placed, in the organisation's own words." }),
    admin_note: z.string().nullable().meta({ description: "The back office's note." }),
  })
  .meta({
    id: "Order",
    description: "What one buyer ordered for one date of an event.",
    examples: [
      {
        id: 90211,
        event_id: 15082,
        date_id: 1508201,
        reference: "K7P2QX",
        status: "paid",
        date_created: "2025-10-02T18:21:07Z",
        date_modified: "2025-10-02T18:24:51Z",
        date_cancelled: null,
        first_name: "Ada",
        last_name: "Byron",
        email: "ada@example.org",
        phone: null,
        subtotal: 5400,
        discount_total: 400,
        fee_total: 150,
        tax_total: 0,
        total: 5150,
        paid_total: 5150,
        refunded_total: 0,
        balance: 0,
        currency_symbol: "$",
        discount_id: 311,
        discount_code: "EARLY",
        payment_method: "card",
        source: "web",
        admin_note: null,
      },
    ],
  });
export type Order = z.infer<typeof Order>;

const maximumNoteLength = 5_000;

/** What of an order can be updated. */
export const OrderUpdate = z
  .strictObject({
    admin_note: text(maximumNoteLength)
      .nullable()
      .meta({ description: `The back office's note, up to ${maximumNoteLength} characters; null takes it away.` }),
  })
  .meta({
    id: "OrderUpdate",
    description: "What of an order is to be changed.",
    examples: [{ admin_note: "Wheelchair place" }],
  });

/** An order with its tickets. */
export const OrderWithTickets = Order.extend({
  tickets: z.array(Ticket).meta({ description: "The tickets of the order, by id." }),
}).meta({
  id: "OrderWithTickets",
  description: "An order with its tickets.",
  get examples() {
    return [{ ...exampleOf(Order), tickets: [exampleOf(Ticket)] }];
  },
});
export type OrderWithTickets = z.infer<typeof OrderWithTickets>;
