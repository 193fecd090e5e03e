import * as z from "zod";
import { InstantParameter, sortableInstant } from "../values/instant.ts";
import { LookUpText } from "../values/lookUp.ts";
import { Attendee, attendees } from "./attendee.ts";
import { Discount, discounts } from "./discount.ts";
import { Event, events } from "./event.ts";
import { dates, EventDate } from "./eventDate.ts";
import { exampleOf } from "./fields.ts";
import { Order, orders } from "./order.ts";
import { namesOutOf, PageQuery } from "./page.ts";
import { Payment, payments } from "./payment.ts";
import type { Resource } from "./resource.ts";
import { Ticket, tickets } from "./ticket.ts";
import { TicketCategory, ticketCategories } from "./ticketCategory.ts";

/** The target of a name in `expand`: the resource whose id a field has, or the children in one of its lists. */
export type Expansion = { resource: Resource; field: string } | { resource: Resource; list: string };

export const dateExpansions = { event: { resource: events, field: "event_id" } } as const;

export const ticketExpansions = {
  order: { resource: orders, field: "order_id" },
  event: { resource: events, field: "event_id" },
  date: { resource: dates, field: "date_id" },
  ticket_category: { resource: ticketCategories, field: "ticket_category_id" },
  attendee: { resource: attendees, field: "attendee_id" },
} as const;

export const orderExpansions = {
  tickets: { resource: tickets, list: "ofOrder" },
  payments: { resource: payments, list: "ofOrder" },
  attendees: { resource: attendees, list: "ofOrder" },
  event: { resource: events, field: "event_id" },
  date: { resource: dates, field: "date_id" },
  discount: { resource: discounts, field: "discount_id" },
} as const;

/** Per row. */
export const maximumChildren = 100;

function expanded<Schema extends z.ZodType>(schema: Schema, name: keyof typeof ticketExpansions | "discount") {
  const description = `The resource of \`${name}_id\`, only with \`expand=${name}\`; null if it does not exist or was deleted.`;
  return schema.nullable().optional().meta({ description });
}

function children<Schema extends z.ZodType>(schema: Schema, name: string) {
  const description = `The first ${maximumChildren} rows of \`GET /v1/orders/{id}/${name}\`, only with \`expand=${name}\`.`;
  return z.array(schema).optional().meta({ description });
}

function more(name: string) {
  const description = `Present, and true, only if the order has more ${name}. \`GET /v1/orders/{id}/${name}\` lists all of them.`;
  return z.boolean().optional().meta({ description });
}

export const ExpandedEventDate = EventDate.extend({ event: expanded(Event, "event") }).meta({
  id: "ExpandedEventDate",
  description: "A date, with its event if `expand` names it.",
  get examples() {
    return [{ ...exampleOf(EventDate), event: exampleOf(Event) }];
  },
});
export type ExpandedEventDate = z.infer<typeof ExpandedEventDate>;

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

const besideTickets = {
  has_more_tickets: more("tickets"),
  payments: children(Payment, "payments"),
  has_more_payments: more("payments"),
  attendees: children(Attendee, "attendees"),
  has_more_attendees: more("attendees"),
  event: expanded(Event, "event"),
  date: expanded(EventDate, "date"),
  discount: expanded(Discount, "discount"),
};

export const ExpandedOrder = Order.extend({ tickets: children(Ticket, "tickets"), ...besideTickets }).meta({
  id: "ExpandedOrder",
  description: "An order with what `expand` names.",
  get examples() {
    return [{ ...exampleOf(Order), tickets: [exampleOf(Ticket)], payments: [exampleOf(Payment)] }];
  },
});
export type ExpandedOrder = z.infer<typeof ExpandedOrder>;

export const OrderWithTickets = Order.extend({
  tickets: z.array(Ticket).meta({
    description: "The order's tickets, ordered by id: all of them, or as many as fit into 3 MB, about 5,000.",
  }),
  ...besideTickets,
}).meta({
  id: "OrderWithTickets",
  description: "An order with its tickets, and what `expand` names.",
  get examples() {
    return [{ ...exampleOf(Order), tickets: [exampleOf(Ticket)] }];
  },
});
export type OrderWithTickets = z.infer<typeof OrderWithTickets>;

function expandOf<const Name extends string>(names: readonly Name[], example: Name[], further = "") {
  return namesOutOf(names, "names")
    .default([])
    .meta({
      description: `What to include, comma-separated: ${names.join(", ")}. Included resources may lack changes of the last second.${further}`,
      examples: [example],
      minItems: 1,
      uniqueItems: true,
    });
}

function namesOf<Expansions extends object>(expansions: Expansions) {
  // Object.keys loses the names' types.
  return Object.keys(expansions) as (keyof Expansions & string)[];
}

export const DateQuery = z.object({ expand: expandOf(namesOf(dateExpansions), ["event"]) });

export const EventDatesQuery = PageQuery.extend(DateQuery.shape);

export const DatesQuery = PageQuery.extend({
  from: InstantParameter.optional().meta({
    description: "Only dates that start at this time or later, ISO 8601. Without an offset it counts as UTC.",
    examples: ["2026-03-01T00:00:00Z"],
  }),
  to: InstantParameter.optional().meta({
    description: "Only dates that start before this time, ISO 8601. Without an offset it counts as UTC.",
    examples: ["2026-04-01T00:00:00Z"],
  }),
  ...DateQuery.shape,
}).refine(({ from, to }) => from === undefined || to === undefined || sortableInstant(from) <= sortableInstant(to), {
  path: ["to"],
  error: "Must not be before from.",
});

export const TicketQuery = z.object({
  expand: expandOf(namesOf(ticketExpansions), ["order", "ticket_category"]),
});

export const DateTicketsQuery = PageQuery.extend(TicketQuery.shape);

export const TicketsQuery = PageQuery.extend({
  barcode: LookUpText.meta({
    description: "Only tickets with exactly this barcode.",
    examples: ["7331050090219"],
  }),
  ...TicketQuery.shape,
});

export const OrderQuery = z.object({
  expand: expandOf(namesOf(orderExpansions), ["payments", "event"], " The tickets are always included."),
});

export const OrdersQuery = PageQuery.extend({
  reference: LookUpText.optional().meta({
    description: "Only orders with this reference, ignoring case.",
    examples: ["K7P2QX"],
  }),
  email: LookUpText.optional().meta({
    description: "Only orders whose buyer has this e-mail address, ignoring case. Not with `reference`.",
    examples: ["ada@example.org"],
  }),
  expand: expandOf(
    namesOf(orderExpansions),
    ["tickets", "payments"],
    " With tickets, payments or attendees, a page may have fewer orders than `per_page`.",
  ),
}).refine(({ reference, email }) => reference === undefined || email === undefined, {
  path: ["email"],
  error: "Must not be combined with reference.",
  // The rule is also checked if another parameter is invalid.
  when: () => true,
});
