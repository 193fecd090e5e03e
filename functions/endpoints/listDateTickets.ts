import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { tickets } from "../resources/ticket.ts";

export const listDateTickets = listEndpoint(tickets, "ofDate", {
  operationId: "listDateTickets",
  path: "/v1/dates/{id}/tickets",
  tag: "Dates",
  summary: "List a date's tickets",
  expands: resources,
});

export const handler = lambda(listDateTickets);
