import * as z from "zod";
import { Currency, Id, Pence } from "../resources/fields.ts";
import { ServiceTime } from "../values/instant.ts";

const CategorySummary = z
  .object({
    ticket_category_id: Id.meta({ description: "Ticket category id." }),
    tickets_sold: z
      .int()
      .meta({ description: "Number of `valid` tickets in the category, of `paid` and `refunded` orders." }),
    people: z.int().meta({ description: "Number of people that these tickets admit." }),
    gross: Pence.meta({
      description: "Sum of the `original_price` of these tickets, in pence, for orders in the summary's currency.",
    }),
  })
  .meta({ id: "CategorySummary", description: "Sales of one ticket category." });

/** Each is a sum in one currency. */
const Amounts = z.object({
  gross: Pence.meta({
    description:
      "Sum of the `original_price`, before discounts, of the `valid` tickets of `paid` and `refunded` orders, in pence.",
  }),
  discount_total: Pence.meta({ description: "Sum of the discounts of `paid` and `refunded` orders, in pence." }),
  fee_total: Pence.meta({ description: "Sum of the fees of `paid` and `refunded` orders, in pence." }),
  tax_total: Pence.meta({ description: "Sum of the taxes of `paid` and `refunded` orders, in pence." }),
  refunded_total: Pence.meta({
    description: "Sum of all `confirmed` refunds, in pence, whatever the order's state and even without an order.",
  }),
  net: Pence.meta({
    description:
      "The money received, in pence: all `confirmed` payments less all `confirmed` refunds, whatever the order's state and even without an order.",
  }),
  balance_paid_total: Pence.meta({ description: "Sum of the recorded balance payments, in pence; 0 for a date." }),
  balance_refunded_total: Pence.meta({ description: "Sum of the recorded balance refunds, in pence; 0 for a date." }),
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
    orders_count: z.int().meta({ description: "Number of `paid` and `refunded` orders, in all currencies." }),
    tickets_sold: z
      .int()
      .meta({ description: "Number of `valid` tickets of `paid` and `refunded` orders, in all currencies." }),
    people: z.int().meta({ description: "Number of people that these tickets admit." }),
    checked_in_count: z.int().meta({ description: "Number of these tickets that are checked in." }),
    ...Amounts.shape,
    currency_symbol: z.string().nullable().meta({
      description:
        "Display symbol of the event's currency. All amounts outside `other_currencies` are in this currency.",
    }),
    currency: Currency.nullable().meta({
      description:
        "ISO 4217 code of the event's currency; null if unknown. If the event has no code, and all amounts are in one currency, these fields name that currency.",
    }),
    date_generated: ServiceTime.meta({ description: "When these numbers last changed." }),
    ticket_categories: z
      .array(CategorySummary)
      .meta({ description: "Each ticket category of these tickets, ordered by id." }),
    other_currencies: z.array(CurrencySummary).meta({
      description:
        "The amounts of orders and balance payments in other currencies, which no other field includes, ordered by code or symbol.",
    }),
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
        gross: 1163700,
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
        ticket_categories: [{ ticket_category_id: 150823, tickets_sold: 431, people: 431, gross: 1163700 }],
        other_currencies: [],
      },
    ],
  });
export type Summary = z.infer<typeof Summary>;
