import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { BalancePayment, balancePayments } from "../resources/balancePayment.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listEventBalancePayments = endpoint(
  {
    operationId: "listEventBalancePayments",
    method: "GET",
    path: "/v1/events/{id}/balance-payments",
    summary: "List an event's balance payments, newest first",
    description:
      "External payments and refunds recorded against the event's balance, ordered by `date_created` descending, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(balancePayments) },
    params: idOf("event"),
    query: PageQuery,
    response: pageOf(BalancePayment),
  },
  ({ params, query }, { rows }) => rows.ofEvent(params.id, query),
);

export const handler = lambda(listEventBalancePayments);
