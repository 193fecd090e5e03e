import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ticketRepository } from "../records/ticketRepository.ts";
import { ExpandedTicket, TicketsQuery } from "../resources/expanded.ts";
import { pageOf } from "../resources/page.ts";

export const listTickets = endpoint(
  {
    operationId: "listTickets",
    method: "GET",
    path: "/v1/tickets",
    tag: "Tickets",
    summary: "Find tickets by barcode",
    description:
      "Lists the organisation's tickets with this barcode, ordered by `id` ascending. If no ticket has it, the list is empty.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem", "BatchGetItem"],
    repositories: { tickets: ticketRepository },
    query: TicketsQuery,
    response: pageOf(ExpandedTicket),
  },
  ({ query }, { tickets }) => tickets.byBarcode(query),
);

export const handler = lambda(listTickets);
