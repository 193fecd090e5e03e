import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { events } from "../resources/event.ts";

export const listEvents = listEndpoint(events, "all", {
  operationId: "listEvents",
  path: "/v1/events",
  tag: "Events",
  summary: "List events, most recent first",
  description: "`from` and `to` limit `date_created`.",
  hint: "Tickets are on sale while ticketing_enabled and buying_enabled are true.",
});

export const handler = lambda(listEvents);
