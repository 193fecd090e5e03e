import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { orders } from "../resources/order.ts";

export const getOrder = getEndpoint(orders, {
  operationId: "getOrder",
  path: "/v1/orders/{id}",
  tag: "Orders",
  summary: "Get one order with its tickets",
  tool: "get_order",
  hint: "With has_more_tickets, list_tickets returns all tickets.",
  expands: resources,
});

export const handler = lambda(getOrder);
