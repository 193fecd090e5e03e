import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { orders } from "../resources/order.ts";

export const listOrders = listEndpoint(orders, "all", {
  operationId: "listOrders",
  path: "/v1/orders",
  tag: "Orders",
  summary: "List orders, newest first",
  description:
    "`from` and `to` limit `date_created`, also of the orders found by `reference` or `email`. To keep a copy up to date, use `GET /v1/changes`.",
  expands: resources,
});

export const handler = lambda(listOrders);
