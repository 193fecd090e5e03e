import * as z from "zod";
import { LookUpText } from "../values/lookUp.ts";
import { Attendee, attendees } from "./attendee.ts";
import { Event, events } from "./event.ts";
import { dates, EventDate } from "./eventDate.ts";
import { exampleOf } from "./fields.ts";
import { Order, orders } from "./order.ts";
import { namesOutOf, PageQuery } from "./page.ts";
import { Ticket } from "./ticket.ts";
import { TicketCategory, ticketCategories } from "./ticketCategory.ts";

/** The resources that a ticket names, by the names in `expand`, each with the ticket's field that has its id. */
export const expansions = {
  order: { resource: orders, field: "order_id" },
  event: { resource: events, field: "event_id" },
  date: { resource: dates, field: "date_id" },
  ticket_category: { resource: ticketCategories, field: "ticket_category_id" },
  attendee: { resource: attendees, field: "attendee_id" },
} as const;
export type Expansion = keyof typeof expansions;
const expansionNames = Object.keys(expansions) as Expansion[];

function expanded<Schema extends z.ZodType>(schema: Schema, name: Expansion) {
  const { field } = expansions[name];
  const description = `The resource of \`${field}\`, only with \`expand=${name}\`; null if it does not exist or was deleted.`;
  return schema.nullable().optional().meta({ description });
}

/** A ticket with the resources that a request asks for. */
export const ExpandedTicket = Ticket.extend({
  order: expanded(Order, "order"),
  event: expanded(Event, "event"),
  date: expanded(EventDate, "date"),
  ticket_category: expanded(TicketCategory, "ticket_category"),
  attendee: expanded(Attendee, "attendee"),
}).meta({
  id: "ExpandedTicket",
  description: "A ticket with the resources that `expand` names.",
  get examples() {
    return [{ ...exampleOf(Ticket), ticket_category: exampleOf(TicketCategory) }];
  },
});
export type ExpandedTicket = z.infer<typeof ExpandedTicket>;

export const TicketQuery = z.object({
  expand: namesOutOf(expansionNames, "names")
    .default([])
    .meta({
      description: `Resources to include, comma-separated: ${expansionNames.join(", ")}. They may lack changes of the last second.`,
      examples: [["order", "ticket_category"]],
      minItems: 1,
      uniqueItems: true,
    }),
});

export const TicketsQuery = PageQuery.extend({
  barcode: LookUpText.meta({ description: "Only tickets with exactly this barcode.", examples: ["7331050090211"] }),
  ...TicketQuery.shape,
});
