import { eventRepository } from "../data/repositories/eventRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Event } from "../resources/event.ts";
import { idOf } from "../resources/resourceId.ts";

export const getEvent = endpoint(
  {
    operationId: "getEvent",
    method: "GET",
    path: "/v1/events/{id}",
    summary: "Get one event",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { events: eventRepository },
    params: idOf("event"),
    response: Event,
  },
  ({ params }, { events }) => events.get(params.id),
);

export const handler = lambda(getEvent);
