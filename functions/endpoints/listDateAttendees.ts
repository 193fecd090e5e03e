import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { attendees } from "../resources/attendee.ts";

export const listDateAttendees = listEndpoint(attendees, "ofDate", {
  operationId: "listDateAttendees",
  path: "/v1/dates/{id}/attendees",
  tag: "Dates",
  summary: "List a date's attendees",
  description: "The attendees with their answers, for example for a door list.",
});

export const handler = lambda(listDateAttendees);
