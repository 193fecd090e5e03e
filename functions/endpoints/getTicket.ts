import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { Ticket, tickets } from "../resources/ticket.ts";

export const getTicket = endpoint(
  {
    operationId: "getTicket",
    method: "GET",
    path: "/v1/tickets/{id}",
    summary: "Get one ticket",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(tickets) },
    params: idOf("ticket"),
    response: Ticket,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getTicket);
