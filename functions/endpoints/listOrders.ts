import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Order, OrdersQuery, orders } from "../resources/order.ts";
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
    reach: "organisationData",
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(orders) },
    query: OrdersQuery,
    response: pageOf(Order),
  },
  ({ query }, { rows }) => {
    if (query.email !== undefined) return rows.byEmail(query.email, query);
    return query.reference === undefined ? rows.all(query) : rows.byReference(query.reference, query);
  },
);

export const handler = lambda(listOrders);
