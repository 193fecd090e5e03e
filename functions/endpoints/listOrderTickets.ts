import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Ticket, tickets } from "../resources/ticket.ts";

export const listOrderTickets = endpoint(
  {
    operationId: "listOrderTickets",
    method: "GET",
    path: "/v1/orders/{id}/tickets",
    summary: "List an order's tickets",
    description: "Tickets and refunds, ordered by `date_created` descending, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(tickets) },
    params: idOf("order"),
    query: PageQuery,
    response: pageOf(Ticket),
  },
  ({ params, query }, { rows }) => rows.ofOrder(params.id, query),
);

export const handler = lambda(listOrderTickets);
