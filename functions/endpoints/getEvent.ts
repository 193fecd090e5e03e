import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { events } from "../resources/event.ts";

export const getEvent = getEndpoint(events, {
  operationId: "getEvent",
  path: "/v1/events/{id}",
  tag: "Events",
  summary: "Get one event",
});

export const handler = lambda(getEvent);
