import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { attendees } from "../resources/attendee.ts";

export const getAttendee = getEndpoint(attendees, {
  operationId: "getAttendee",
  path: "/v1/attendees/{id}",
  tag: "Attendees",
  summary: "Get one attendee",
});

export const handler = lambda(getAttendee);
