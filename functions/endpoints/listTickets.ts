import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { pageOf } from "../resources/page.ts";
import { Ticket, TicketsQuery, tickets } from "../resources/ticket.ts";

export const listTickets = endpoint(
  {
    operationId: "listTickets",
    method: "GET",
    path: "/v1/tickets",
    summary: "Find tickets by barcode",
    description:
      "Lists the organisation's tickets with this barcode, ordered by `id` ascending. If no ticket has it, the list is empty.",
    caller: apiKeyHolder("read"),
    table: ["Query"],
    repositories: { rows: repositoryOf(tickets) },
    query: TicketsQuery,
    response: pageOf(Ticket),
  },
  ({ query }, { rows }) => rows.byBarcode(query.barcode, query),
);

export const handler = lambda(listTickets);
