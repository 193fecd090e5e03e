import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { tickets } from "../resources/ticket.ts";

export const listTickets = listEndpoint(tickets, "byBarcode", {
  operationId: "listTickets",
  path: "/v1/tickets",
  tag: "Tickets",
  summary: "Find tickets by barcode",
  description: "Lists the organisation's tickets with this barcode. If no ticket has it, the list is empty.",
  hint: 'A ticket admits if its status is "valid", checked_in is false, date_id is the date at the door, and the status of its order (expand) is "paid".',
  expands: resources,
});

export const handler = lambda(listTickets);
