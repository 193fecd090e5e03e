import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { orderRepository } from "../records/orderRepository.ts";
import { OrderWithTickets } from "../resources/order.ts";

export const getOrder = endpoint(
  {
    operationId: "getOrder",
    method: "GET",
    path: "/v1/orders/{id}",
    tag: "Orders",
    summary: "Get one order with its tickets",
    caller: apiKeyHolder("read"),
    reach: "organisationData",
    table: ["GetItem", "Query"],
    repositories: { orders: orderRepository },
    params: idOf("order"),
    response: OrderWithTickets,
  },
  ({ params }, { orders }) => orders.get(params.id),
);

export const handler = lambda(getOrder);
