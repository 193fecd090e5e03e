import { repositoryOf } from "../data/repositories/resourceRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Payment, payments } from "../resources/payment.ts";
import { idOf } from "../resources/resourceId.ts";

export const listEventPayments = endpoint(
  {
    operationId: "listEventPayments",
    method: "GET",
    path: "/v1/events/{id}/payments",
    summary: "List an event's payments, newest first",
    description:
      "Payments from buyers and refunds to them, ordered by `date_created` descending, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(payments) },
    params: idOf("event"),
    query: PageQuery,
    response: pageOf(Payment),
  },
  ({ params, query }, { rows }) => rows.ofEvent(params.id, query),
);

export const handler = lambda(listEventPayments);
