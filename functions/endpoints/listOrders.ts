import { orderRepository } from "../data/repositories/orderRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Order } from "../resources/order.ts";
import { SyncQuery, syncPageOf } from "../resources/syncPage.ts";

export const listOrders = endpoint(
  {
    operationId: "listOrders",
    method: "GET",
    path: "/v1/orders",
    summary: "List changed orders, for incremental sync",
    description:
      "Lists the organisation's orders in the order in which this service accepted their latest changes, oldest first. An order that changes again moves to the end. A change appears some seconds after it was accepted, and continuing from a `resume_cursor` misses no change. Importing an unchanged order again is not a change.",
    caller: apiKeyHolder("read"),
    table: ["Query"],
    repositories: { orders: orderRepository },
    query: SyncQuery,
    response: syncPageOf(Order),
  },
  ({ query }, { orders }) => orders.listChanges(query),
);

export const handler = lambda(listOrders);
