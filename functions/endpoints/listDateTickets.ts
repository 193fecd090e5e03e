import { ticketRepository } from "../data/repositories/ticketRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { idOf } from "../resources/resourceId.ts";
import { Ticket } from "../resources/ticket.ts";

export const listDateTickets = endpoint(
  {
    operationId: "listDateTickets",
    method: "GET",
    path: "/v1/dates/{id}/tickets",
    summary: "List a date's tickets",
    description: "Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { tickets: ticketRepository },
    params: idOf("date"),
    query: PageQuery,
    response: pageOf(Ticket),
  },
  ({ params, query }, { tickets }) => tickets.listOfDate(params.id, query),
);

export const handler = lambda(listDateTickets);
