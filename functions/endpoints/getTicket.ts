import { ticketRepository } from "../data/repositories/ticketRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { idOf } from "../resources/resourceId.ts";
import { Ticket } from "../resources/ticket.ts";

export const getTicket = endpoint(
  {
    operationId: "getTicket",
    method: "GET",
    path: "/v1/tickets/{id}",
    summary: "Get one ticket",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { tickets: ticketRepository },
    params: idOf("ticket"),
    response: Ticket,
  },
  ({ params }, { tickets }) => tickets.get(params.id),
);

export const handler = lambda(getTicket);
