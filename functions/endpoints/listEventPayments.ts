import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Payment, payments } from "../resources/payment.ts";

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
