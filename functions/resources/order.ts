import * as z from "zod";
import { Instant, sortableInstant } from "../values/instant.ts";
import { caseless } from "../values/lookUp.ts";
import { Currency, Id, nullableText, Pence, timeOf } from "./fields.ts";
import { added, latestFirst, resource, storedForm } from "./resource.ts";

/** Without its tickets. */
export const Order = z
  .object({
    id: Id.meta({ description: "Order id." }),
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.meta({ description: "Id of the event date." }),
    reference: z.string().meta({ description: "Order reference that the buyer sees." }),
    status: z
      .enum(["pending", "paid", "cancelled", "expired", "refunded"])
      .meta({ description: "State of the order. Summaries count `paid` and `refunded` orders." }),
    date_created: Instant.meta(timeOf("When the order was placed, ISO 8601.")),
    date_modified: Instant.meta(
      timeOf("Time of the last change, in the organisation's core system or through this API."),
    ),
    date_cancelled: Instant.nullable().meta(timeOf("When the order was cancelled, if it was.")),
    first_name: z.string().nullable().meta({ description: "First name of the buyer." }),
    last_name: z.string().nullable().meta({ description: "Last name of the buyer." }),
    email: z.string().nullable().meta({ description: "E-mail address of the buyer." }),
    phone: z.string().nullable().meta({ description: "Telephone number of the buyer." }),
    subtotal: Pence.meta({ description: "Sum of the tickets' prices before discounts, in pence." }),
    discount_total: Pence.meta({ description: "Sum of the discounts, in pence." }),
    fee_total: Pence.meta({ description: "Sum of the fees, in pence." }),
    tax_total: Pence.meta({ description: "Sum of the taxes, in pence." }),
    total: Pence.meta({ description: "Total price of the order, in pence." }),
    paid_total: Pence.meta({ description: "Amount paid so far, in pence." }),
    refunded_total: Pence.meta({ description: "Amount refunded so far, in pence." }),
    balance: Pence.meta({ description: "Amount still to be paid, in pence." }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the currency." }),
    currency: added(Currency.nullable().meta({ description: "ISO 4217 code of the currency; null if unknown." })),
    discount_id: Id.nullable().meta({ description: "Id of the discount used, if any." }),
    discount_code: z.string().nullable().meta({ description: "Discount code that the buyer entered, if any." }),
    payment_method: z.string().nullable().meta({ description: "Method of payment, in the organisation's own words." }),
    source: z.string().nullable().meta({ description: "Sales channel, in the organisation's own words." }),
    admin_note: z.string().nullable().meta({ description: "Note of the back office." }),
  })
  .meta({
    id: "Order",
    description: "A buyer's order for one date of an event.",
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
        currency: "USD",
        discount_id: 311,
        discount_code: "EARLY",
        payment_method: "card",
        source: "web",
        admin_note: "Wheelchair place",
      },
    ],
  });
export type Order = z.infer<typeof Order>;

/** A note that was set through the API, stored in an attribute of its own. */
export const ApiNote = z.object({ admin_note: z.string().nullable(), date_modified: z.string() });

/** The public form of a stored order. A note that was set through the API overrides the record's note, even a later record's, until a record ends it. */
export const StoredOrder = storedForm(Order)
  .extend({ api_note: ApiNote.optional() })
  .transform(({ api_note, ...order }): Order => {
    if (!api_note) return order;
    const isLater = sortableInstant(api_note.date_modified) > sortableInstant(order.date_modified);
    const { admin_note, date_modified } = api_note;
    return { ...order, admin_note, date_modified: isLater ? date_modified : order.date_modified };
  });

export const orders = resource({
  type: "order",
  schema: Order,
  stored: StoredOrder,
  short: [
    "id",
    "event_id",
    "date_id",
    "reference",
    "status",
    "date_created",
    "first_name",
    "last_name",
    "total",
    "balance",
    "currency",
  ],
  lists: {
    ofDate: { index: "GSI1", under: "event_date", field: "date_id", order: latestFirst("date_created") },
    all: {
      index: "GSI2",
      all: "ALLORDERS",
      order: latestFirst("date_created"),
      range: { verb: "were placed", examples: { from: "2025-10-01T00:00:00Z", to: "2025-11-01T00:00:00Z" } },
    },
    byReference: {
      index: "GSI4",
      lookUp: "reference",
      description: "Only orders with this reference, ignoring case.",
      normalise: caseless,
      order: latestFirst("date_created"),
    },
    byEmail: {
      index: "GSI5",
      lookUp: "email",
      description: "Only orders whose buyer has this e-mail address, ignoring case.",
      normalise: caseless,
      order: latestFirst("date_created"),
    },
  },
  expand: {
    tickets: {
      children: "ticket",
      list: "ofOrder",
      alwaysIncluded: {
        description: "The order's tickets, ordered by id: all of them, or as many as fit into 3 MB, about 5,000.",
      },
    },
    payments: { children: "payment", list: "ofOrder" },
    attendees: { children: "attendee", list: "ofOrder" },
    event: { one: "event", field: "event_id" },
    date: { one: "event_date", field: "date_id" },
    discount: { one: "discount", field: "discount_id" },
  },
});

export const maximumNoteLength = 5_000;

export const OrderUpdate = z
  .strictObject({
    admin_note: nullableText(0, maximumNoteLength).meta({
      description: `The new note, up to ${maximumNoteLength} characters; null removes the note.`,
    }),
  })
  .meta({
    id: "OrderUpdate",
    description: "Changes to an order.",
    examples: [{ admin_note: "Wheelchair place" }],
  });
