import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { orders } from "../resources/order.ts";

export const getOrder = getEndpoint(orders, {
  operationId: "getOrder",
  path: "/v1/orders/{id}",
  tag: "Orders",
  summary: "Get one order with its tickets",
});

export const handler = lambda(getOrder);
