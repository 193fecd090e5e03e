import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { trimmed } from "../values/lookUp.ts";
import { Id, Pence, timeOf } from "./fields.ts";
import { byId, resource } from "./resource.ts";

export const Ticket = z
  .object({
    id: Id.meta({ description: "Ticket id." }),
    order_id: Id.meta({ description: "Id of the ticket's order." }),
    event_id: Id.meta({ description: "Id of the event." }),
    date_id: Id.meta({ description: "Id of the event date." }),
    ticket_category_id: Id.meta({
      description: "Id of the ticket category, to obtain the ticket's name. The price is the ticket's own.",
    }),
    attendee_id: Id.nullable().meta({ description: "Id of the attendee, if one is named." }),
    status: z.enum(["valid", "void", "refunded"]).meta({
      description: "Only `valid` tickets admit. Summaries count those of `paid` and `refunded` orders as sold.",
    }),
    price: Pence.meta({
      description:
        "Price charged, in pence. It is the ticket's own: its category's `price` may differ, or have changed since.",
    }),
    original_price: Pence.meta({ description: "Price before discount, in pence." }),
    discount_id: Id.nullable().meta({ description: "Id of the discount applied, if any." }),
    barcode: z.string().nullable().meta({ description: "Content of the ticket's barcode, if it has one." }),
    seat: z.string().nullable().meta({ description: "Seat, if seats are numbered." }),
    checked_in: z.boolean().meta({ description: "True when the ticket was checked in at the door." }),
    date_checked_in: Instant.nullable().meta(timeOf("When it was checked in, if it was.")),
    date_created: Instant.meta(timeOf("Creation time, ISO 8601.")),
    date_modified: Instant.meta(timeOf("Time of the last change, ISO 8601.")),
    date_voided: Instant.nullable().meta(timeOf("When it was voided, if it was.")),
  })
  .meta({
    id: "Ticket",
    description: "A ticket of an order: admission to one event date in one ticket category.",
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
        barcode: "7331050090219",
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

export const tickets = resource({
  type: "ticket",
  schema: Ticket,
  short: ["id", "order_id", "date_id", "ticket_category_id", "status", "price", "seat", "checked_in"],
  lists: {
    ofDate: { index: "GSI1", under: "event_date", field: "date_id", order: byId },
    ofOrder: { index: "GSI2", under: "order", field: "order_id", order: byId },
    byBarcode: {
      index: "GSI4",
      lookUp: "barcode",
      description: "Only tickets with exactly this barcode.",
      normalise: trimmed,
      order: byId,
    },
  },
  expand: {
    order: { one: "order", field: "order_id" },
    event: { one: "event", field: "event_id" },
    date: { one: "event_date", field: "date_id" },
    ticket_category: { one: "ticket_category", field: "ticket_category_id" },
    attendee: { one: "attendee", field: "attendee_id" },
  },
});
