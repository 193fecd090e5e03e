import * as z from "zod";
import { Instant } from "./instant.ts";
import { Pence } from "./pence.ts";
import { Id } from "./resourceId.ts";

/** A ticket of an order. */
export const Ticket = z
  .object({
    id: Id.meta({ description: "Ticket id." }),
    order_id: Id.meta({ description: "The order that it belongs to." }),
    event_id: Id.meta({ description: "The event that it is for." }),
    date_id: Id.meta({ description: "The event date that it is for." }),
    ticket_category_id: Id.meta({ description: "Its ticket category, by which its name is found." }),
    attendee_id: Id.nullable().meta({ description: "The attendee who holds it, if one is named." }),
    status: z
      .enum(["valid", "void", "refunded"])
      .meta({ description: "Whether it opens the door. Only `valid` ones count as sold in summaries." }),
    price: Pence.meta({ description: "What was charged for it, in pence." }),
    original_price: Pence.meta({ description: "What it costs without discount, in pence." }),
    discount_id: Id.nullable().meta({ description: "Id of the discount that made it cheaper, if one did." }),
    barcode: z.string().nullable().meta({ description: "What its code says when it is scanned." }),
    seat: z.string().nullable().meta({ description: "Its seat, if seats are numbered." }),
    checked_in: z.boolean().meta({ description: "True when it was shown at the door." }),
    date_checked_in: Instant.nullable().meta({ description: "When it was shown at the door." }),
    date_created: Instant.meta({ description: "When it was made, ISO 8601." }),
    date_modified: Instant.meta({ description: "When it was last changed, ISO 8601." }),
    date_voided: Instant.nullable().meta({ description: "When it was made void, if it was." }),
  })
  .meta({
    id: "Ticket",
    description: "The right of one holder to enter, for one ticket category of an event's date.",
    examples: [
      {
        id: 733105,
        order_id: 90211,
        event_id: 15082,
        date_id: 1508201,
        ticket_category_id: 150823,
        attendee_id: 733106,
        status: "valid",
        price: 2500,
        original_price: 2700,
        discount_id: 311,
        barcode: "7331050090211",
        seat: "F 12",
        checked_in: false,
        date_checked_in: null,
        date_created: "2025-10-02T18:21:07Z",
        date_modified: "2025-10-02T18:24:51Z",
        date_voided: null,
      },
    ],
  });
export type Ticket = z.infer<typeof Ticket>;
