import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Payment, payments } from "../resources/payment.ts";

export const listOrderPayments = endpoint(
  {
    operationId: "listOrderPayments",
    method: "GET",
    path: "/v1/orders/{id}/payments",
    summary: "List an order's payments, newest first",
    description: "Payments and refunds, ordered by `date_created` descending, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(payments) },
    params: idOf("order"),
    query: PageQuery,
    response: pageOf(Payment),
  },
  ({ params, query }, { rows }) => rows.ofOrder(params.id, query),
);

export const handler = lambda(listOrderPayments);
