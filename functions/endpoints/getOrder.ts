import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { orderRepository } from "../records/orderRepository.ts";
import { OrderQuery, OrderWithTickets } from "../resources/expanded.ts";

export const getOrder = endpoint(
  {
    operationId: "getOrder",
    method: "GET",
    path: "/v1/orders/{id}",
    tag: "Orders",
    summary: "Get one order with its tickets",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["GetItem", "Query", "BatchGetItem"],
    repositories: { orders: orderRepository },
    params: idOf("order"),
    query: OrderQuery,
    response: OrderWithTickets,
  },
  ({ params, query }, { orders }) => orders.get(params.id, query.expand),
);

export const handler = lambda(getOrder);
