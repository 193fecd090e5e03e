import * as z from "zod";
import { Currency, Id, Pence } from "../resources/fields.ts";
import { ServiceTime } from "../values/instant.ts";

/** Counts rows in all currencies. */
const count = (description: string) => z.int().meta({ description: `${description}, in all currencies.` });

const hasMore = (why: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `True if there are more, otherwise absent. ${why}; all numbers count all of them.` });

const CategorySummary = z
  .object({
    ticket_category_id: Id.meta({ description: "Ticket category id." }),
    tickets_sold: count(
      "Number of `valid` tickets in the category, of `paid` and `refunded` orders, which are the tickets sold",
    ),
    people: count("Number of people that the tickets sold admit"),
    gross: Pence.meta({
      description: "Sum of the `original_price` of the tickets sold in the summary's currency, in pence.",
    }),
    sales_total: Pence.meta({
      description: "Sum of the `price` of the tickets sold in the summary's currency, in pence.",
    }),
  })
  .meta({ id: "CategorySummary", description: "Sales of one ticket category." });
export type CategorySummary = z.infer<typeof CategorySummary>;

/** Each is a sum in one currency. */
const Amounts = z.object({
  gross: Pence.meta({
    description:
      "Sum of the `original_price`, before discounts, of the tickets sold, in pence. Other rows than those of `discount_total`, so their difference means nothing: see `sales_total`.",
  }),
  sales_total: Pence.meta({
    description: "The sales: sum of the `price`, after discounts, of the tickets sold, in pence.",
  }),
  discount_total: Pence.meta({
    description:
      "Sum of the `discount_total` of `paid` and `refunded` orders, also of their tickets not sold, in pence.",
  }),
  fee_total: Pence.meta({ description: "Sum of the `fee_total` of `paid` and `refunded` orders, in pence." }),
  tax_total: Pence.meta({ description: "Sum of the `tax_total` of `paid` and `refunded` orders, in pence." }),
  refunded_total: Pence.meta({
    description:
      "Sum of the `amount` of all `confirmed` refunds, of orders in any state and without an order, in pence.",
  }),
  net: Pence.meta({
    description:
      "The money received, in pence: the `amount` of all `confirmed` payments less that of all `confirmed` refunds, of orders in any state and without an order.",
  }),
  balance_paid_total: Pence.meta({
    description: "Sum of the `amount` of the event's balance payments of type `payment`, in pence; 0 for a date.",
  }),
  balance_refunded_total: Pence.meta({
    description: "Sum of the `amount` of the event's balance payments of type `refund`, in pence; 0 for a date.",
  }),
});
export type Amounts = z.infer<typeof Amounts>;

const CurrencySummary = z
  .object({
    currency: Currency.nullable().meta({ description: "ISO 4217 code; null if the orders have only a symbol." }),
    currency_symbol: z
      .string()
      .nullable()
      .meta({ description: "The first 16 characters of the orders' symbol if they have no code, otherwise null." }),
    ...Amounts.shape,
  })
  .meta({ id: "CurrencySummary", description: "The amounts in one currency other than the summary's." });

export const Summary = z
  .object({
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.nullable().meta({ description: "Id of the event date; null in the summary of a whole event." }),
    orders_count: count("Number of `paid` and `refunded` orders"),
    tickets_sold: count("Number of tickets sold: `valid` tickets of `paid` and `refunded` orders"),
    people: count("Number of people that the tickets sold admit: the sum of their categories' `people`"),
    checked_in_count: count("Number of the tickets sold that are checked in: tickets, not people"),
    people_checked_in: count("Number of people that the tickets sold and checked in admit"),
    ...Amounts.shape,
    currency_symbol: z.string().nullable().meta({
      description:
        "Display symbol of the event's currency. All amounts outside `other_currencies` are in this currency.",
    }),
    currency: Currency.nullable().meta({
      description:
        "ISO 4217 code of the event's currency; null if unknown. If the event has no code, and all amounts with a known currency have the same one, these fields name that currency.",
    }),
    date_generated: ServiceTime.meta({ description: "When these numbers last changed." }),
    ticket_categories: z
      .array(CategorySummary)
      .meta({ description: "Each ticket category of the tickets sold, ordered by id." }),
    has_more_ticket_categories: hasMore("About 50,000 ticket categories fit into a response"),
    other_currencies: z.array(CurrencySummary).meta({
      description:
        "The amounts of tickets, orders, payments and balance payments in other currencies, which no other field includes, ordered by code or symbol.",
    }),
    has_more_other_currencies: hasMore("About 15,000 currencies fit into a response"),
  })
  .meta({
    id: "Summary",
    description: "The sales of an event or of one date, kept up to date as orders, tickets and payments change.",
    examples: [
      {
        event_id: 15082,
        date_id: null,
        orders_count: 212,
        tickets_sold: 431,
        people: 431,
        checked_in_count: 0,
        people_checked_in: 0,
        gross: 1163700,
        sales_total: 1155500,
        discount_total: 8200,
        fee_total: 31800,
        tax_total: 0,
        refunded_total: 5400,
        net: 1181900,
        balance_paid_total: 75000,
        balance_refunded_total: 0,
        currency_symbol: "$",
        currency: "USD",
        date_generated: "2025-11-03T09:12:45.120Z",
        ticket_categories: [
          { ticket_category_id: 150823, tickets_sold: 431, people: 431, gross: 1163700, sales_total: 1155500 },
        ],
        other_currencies: [],
      },
    ],
  });
export type Summary = z.infer<typeof Summary>;
