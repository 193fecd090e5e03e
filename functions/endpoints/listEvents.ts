import { eventRepository } from "../data/repositories/eventRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Event } from "../resources/event.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listEvents = endpoint(
  {
    operationId: "listEvents",
    method: "GET",
    path: "/v1/events",
    summary: "List events, most recent first",
    description: "Ordered by `date_created` descending, null last, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query"],
    repositories: { events: eventRepository },
    query: PageQuery,
    response: pageOf(Event),
  },
  ({ query }, { events }) => events.list(query),
);

export const handler = lambda(listEvents);
