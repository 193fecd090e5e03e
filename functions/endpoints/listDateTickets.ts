import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Ticket, tickets } from "../resources/ticket.ts";

export const listDateTickets = endpoint(
  {
    operationId: "listDateTickets",
    method: "GET",
    path: "/v1/dates/{id}/tickets",
    summary: "List a date's tickets",
    description: "Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(tickets) },
    params: idOf("date"),
    query: PageQuery,
    response: pageOf(Ticket),
  },
  ({ params, query }, { rows }) => rows.ofDate(params.id, query),
);

export const handler = lambda(listDateTickets);
