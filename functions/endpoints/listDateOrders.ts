import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { Order, orders } from "../resources/order.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listDateOrders = endpoint(
  {
    operationId: "listDateOrders",
    method: "GET",
    path: "/v1/dates/{id}/orders",
    summary: "List a date's orders, newest first",
    description: "Ordered by `date_created` descending, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(orders) },
    params: idOf("date"),
    query: PageQuery,
    response: pageOf(Order),
  },
  ({ params, query }, { rows }) => rows.ofDate(params.id, query),
);

export const handler = lambda(listDateOrders);
