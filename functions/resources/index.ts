import { attendees } from "./attendee.ts";
import { balancePayments } from "./balancePayment.ts";
import { discounts } from "./discount.ts";
import { events } from "./event.ts";
import { dates } from "./eventDate.ts";
import { orders } from "./order.ts";
import { payments } from "./payment.ts";
import type { Resource, ResourceType } from "./resource.ts";
import { tickets } from "./ticket.ts";
import { ticketCategories } from "./ticketCategory.ts";

/** The resources that organisations send as records, by type. */
export const recordResources = {
  event: events,
  event_date: dates,
  ticket_category: ticketCategories,
  order: orders,
  ticket: tickets,
  payment: payments,
  discount: discounts,
  attendee: attendees,
} satisfies { [Type in Exclude<ResourceType, "balance_payment">]: Resource<Type> };

export const resources = { ...recordResources, balance_payment: balancePayments };

export const changingTypes = Object.keys(resources) as ResourceType[];
