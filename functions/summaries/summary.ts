import * as z from "zod";
import { Currency, Id, Pence, ServiceTime } from "../resources/fields.ts";

const CategorySummary = z
  .object({
    ticket_category_id: Id.meta({ description: "Ticket category id." }),
    tickets_sold: z.int().meta({ description: "Number of valid tickets in the category." }),
    people: z.int().meta({ description: "Number of people that these tickets admit." }),
    gross: Pence.meta({ description: "Sum of these tickets' prices before discounts, in pence." }),
  })
  .meta({ id: "CategorySummary", description: "Sales of one ticket category." });

export const Summary = z
  .object({
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.nullable().meta({ description: "Id of the event date; null in the summary of a whole event." }),
    orders_count: z.int().meta({ description: "Number of orders that are `paid` or `refunded`." }),
    tickets_sold: z.int().meta({ description: "Number of valid tickets." }),
    people: z.int().meta({ description: "Number of people that these tickets admit." }),
    checked_in_count: z.int().meta({ description: "Number of valid tickets that are checked in." }),
    gross: Pence.meta({ description: "Sum of the valid tickets' prices before discounts, in pence." }),
    discount_total: Pence.meta({ description: "Sum of the counted orders' discounts, in pence." }),
    fee_total: Pence.meta({ description: "Sum of the counted orders' fees, in pence." }),
    tax_total: Pence.meta({ description: "Sum of the counted orders' taxes, in pence." }),
    refunded_total: Pence.meta({ description: "Sum of the confirmed refunds, in pence." }),
    net: Pence.meta({ description: "Confirmed payments less confirmed refunds, in pence." }),
    balance_paid_total: Pence.meta({ description: "Sum of the recorded balance payments, in pence; 0 for a date." }),
    balance_refunded_total: Pence.meta({ description: "Sum of the recorded balance refunds, in pence; 0 for a date." }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the event's currency." }),
    currency: Currency.nullable().meta({ description: "ISO 4217 code of the event's currency; null if unknown." }),
    date_generated: ServiceTime.meta({ description: "When these numbers last changed." }),
    ticket_categories: z
      .array(CategorySummary)
      .meta({ description: "Each ticket category with a valid ticket, ordered by id." }),
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
      },
    ],
  });
export type Summary = z.infer<typeof Summary>;
