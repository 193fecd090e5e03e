import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { tickets } from "../resources/ticket.ts";

export const getTicket = getEndpoint(tickets, {
  operationId: "getTicket",
  path: "/v1/tickets/{id}",
  tag: "Tickets",
  summary: "Get one ticket",
  tool: "get_ticket",
  expands: resources,
});

export const handler = lambda(getTicket);
