import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { orders } from "../resources/order.ts";

export const listDateOrders = listEndpoint(orders, "ofDate", {
  operationId: "listDateOrders",
  path: "/v1/dates/{id}/orders",
  tag: "Dates",
  summary: "List a date's orders, newest first",
});

export const handler = lambda(listDateOrders);
