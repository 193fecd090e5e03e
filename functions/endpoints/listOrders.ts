import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { orderRepository } from "../records/orderRepository.ts";
import { ExpandedOrder, OrdersQuery } from "../resources/expanded.ts";
import { pageOf } from "../resources/page.ts";

export const listOrders = endpoint(
  {
    operationId: "listOrders",
    method: "GET",
    path: "/v1/orders",
    tag: "Orders",
    summary: "List orders, newest first",
    description:
      "Ordered by `date_created` descending as instants, then by `id` descending. To keep a copy up to date, use `GET /v1/changes`.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem", "BatchGetItem", "ExecuteStatement"],
    repositories: { orders: orderRepository },
    query: OrdersQuery,
    response: pageOf(ExpandedOrder),
  },
  ({ query }, { orders }) => orders.list(query),
);

export const handler = lambda(listOrders);
