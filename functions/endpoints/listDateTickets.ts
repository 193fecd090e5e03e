import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { ticketRepository } from "../records/ticketRepository.ts";
import { DateTicketsQuery, ExpandedTicket } from "../resources/expanded.ts";
import { pageOf } from "../resources/page.ts";

export const listDateTickets = endpoint(
  {
    operationId: "listDateTickets",
    method: "GET",
    path: "/v1/dates/{id}/tickets",
    tag: "Dates",
    summary: "List a date's tickets",
    description: "Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem", "BatchGetItem"],
    repositories: { tickets: ticketRepository },
    params: idOf("date"),
    query: DateTicketsQuery,
    response: pageOf(ExpandedTicket),
  },
  ({ params, query }, { tickets }) => tickets.ofDate(params.id, query),
);

export const handler = lambda(listDateTickets);
