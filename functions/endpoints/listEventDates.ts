import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { dates } from "../resources/eventDate.ts";
import { resources } from "../resources/index.ts";

export const listEventDates = listEndpoint(dates, "ofEvent", {
  operationId: "listEventDates",
  path: "/v1/events/{id}/dates",
  tag: "Events",
  summary: "List an event's dates, soonest first",
  expands: resources,
});

export const handler = lambda(listEventDates);
