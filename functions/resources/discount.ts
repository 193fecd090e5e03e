import * as z from "zod";
import { Instant } from "./instant.ts";
import { Pence } from "./pence.ts";
import { Id } from "./resourceId.ts";

/** A discount of an event. */
export const Discount = z
  .object({
    id: Id.meta({ description: "Discount id." }),
    event_id: Id.meta({ description: "The event whose tickets it makes cheaper." }),
    name: z.string().nullable().meta({ description: "Name of the discount." }),
    code: z.string().nullable().meta({ description: "What a buyer enters for it; null where it applies by itself." }),
    type: z.enum(["percent", "amount"]).meta({ description: "Which of `percent` and `amount` it takes off." }),
    percent: z.number().min(0).max(100).nullable().meta({ description: "Percent of the price, 0 to 100." }),
    amount: Pence.nullable().meta({ description: "Amount off each ticket, in pence." }),
    ticket_category_ids: z.array(Id).meta({ description: "The ticket categories that it is for; empty for all." }),
    date_ids: z.array(Id).meta({ description: "The event dates that it is for; empty for all." }),
    start_date: Instant.nullable().meta({ description: "From when on it holds, if set." }),
    end_date: Instant.nullable().meta({ description: "Until when it holds, if set." }),
    usage_limit: z.int().nullable().meta({ description: "How often it may be used in all, if set." }),
    times_used: z.int().meta({ description: "How often it was used so far." }),
    minimum_per_order: z.int().nullable().meta({ description: "How many tickets an order must have for it, if set." }),
    active: z.boolean().meta({ description: "True while it may be used." }),
    date_created: Instant.nullable().meta({ description: "When it was made, ISO 8601." }),
  })
  .meta({
    id: "Discount",
    description: "What makes tickets of an event cheaper.",
    examples: [
      {
        id: 311,
        event_id: 15082,
        name: "Early birds",
        code: "EARLY",
        type: "amount",
        percent: null,
        amount: 200,
        ticket_category_ids: [150823],
        date_ids: [],
        start_date: "2025-09-01T00:00:00Z",
        end_date: "2025-10-31T23:59:59Z",
        usage_limit: 500,
        times_used: 41,
        minimum_per_order: null,
        active: true,
        date_created: "2025-08-28T10:00:00Z",
      },
    ],
  });
export type Discount = z.infer<typeof Discount>;
