import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { Id, Pence, timeOf } from "./fields.ts";
import { byId, resource } from "./resource.ts";

export const Discount = z
  .object({
    id: Id.meta({ description: "Discount id." }),
    event_id: Id.meta({ description: "Id of the event." }),
    name: z.string().nullable().meta({ description: "Name of the discount." }),
    code: z
      .string()
      .nullable()
      .meta({ description: "Code that the buyer enters; null if the discount applies automatically." }),
    type: z.enum(["percent", "amount"]).meta({ description: "Whether `percent` or `amount` is taken off." }),
    percent: z.number().min(0).max(100).nullable().meta({ description: "Percent of the price, 0 to 100." }),
    amount: Pence.nullable().meta({ description: "Amount off each ticket, in pence." }),
    ticket_category_ids: z
      .array(Id)
      .meta({ description: "Ids of the ticket categories that the discount applies to; empty for all." }),
    date_ids: z.array(Id).meta({ description: "Ids of the event dates that the discount applies to; empty for all." }),
    start_date: Instant.nullable().meta(timeOf("Start of validity, ISO 8601, if set.")),
    end_date: Instant.nullable().meta(timeOf("End of validity, ISO 8601, if set.")),
    usage_limit: z.int().nullable().meta({ description: "Maximum number of uses in total, if set." }),
    times_used: z.int().meta({ description: "Number of uses so far." }),
    minimum_per_order: z.int().nullable().meta({ description: "Minimum number of tickets in the order, if set." }),
    active: z.boolean().meta({ description: "True while the discount may be used." }),
    date_created: Instant.nullable().meta(timeOf("Creation time, ISO 8601.")),
  })
  .meta({
    id: "Discount",
    description: "A price reduction for tickets of an event.",
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

export const discounts = resource({
  type: "discount",
  schema: Discount,
  short: ["id", "name", "code", "percent", "amount", "active"],
  lists: { ofEvent: { index: "GSI1", under: "event", field: "event_id", order: byId } },
});
