import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Event, events } from "../resources/event.ts";
import { idOf } from "../resources/fields.ts";

export const getEvent = endpoint(
  {
    operationId: "getEvent",
    method: "GET",
    path: "/v1/events/{id}",
    summary: "Get one event",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(events) },
    params: idOf("event"),
    response: Event,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getEvent);
