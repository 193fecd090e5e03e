import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { ticketRepository } from "../records/ticketRepository.ts";
import { ExpandedTicket, TicketQuery } from "../resources/expanded.ts";

export const getTicket = endpoint(
  {
    operationId: "getTicket",
    method: "GET",
    path: "/v1/tickets/{id}",
    tag: "Tickets",
    summary: "Get one ticket",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["GetItem", "BatchGetItem"],
    repositories: { tickets: ticketRepository },
    params: idOf("ticket"),
    query: TicketQuery,
    response: ExpandedTicket,
  },
  ({ params, query }, { tickets }) => tickets.get(params.id, query.expand),
);

export const handler = lambda(getTicket);
