import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { tickets } from "../resources/ticket.ts";

export const listOrderTickets = listEndpoint(tickets, "ofOrder", {
  operationId: "listOrderTickets",
  path: "/v1/orders/{id}/tickets",
  tag: "Orders",
  summary: "List an order's tickets",
  description: "All tickets of the order, including void and refunded ones.",
});

export const handler = lambda(listOrderTickets);
