import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { attendees } from "../resources/attendee.ts";

export const listAttendees = listEndpoint(attendees, "byEmail", {
  operationId: "listAttendees",
  path: "/v1/attendees",
  tag: "Attendees",
  summary: "Find attendees by e-mail address",
  description: "Lists the organisation's attendees with this e-mail address. If nobody has it, the list is empty.",
});

export const handler = lambda(listAttendees);
