import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { ticketCategories } from "../resources/ticketCategory.ts";

export const listEventTicketCategories = listEndpoint(ticketCategories, "ofEvent", {
  operationId: "listEventTicketCategories",
  path: "/v1/events/{id}/ticket-categories",
  tag: "Events",
  summary: "List an event's ticket categories, in display order",
});

export const handler = lambda(listEventTicketCategories);
