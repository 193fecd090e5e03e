import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { attendees } from "../resources/attendee.ts";

export const listOrderAttendees = listEndpoint(attendees, "ofOrder", {
  operationId: "listOrderAttendees",
  path: "/v1/orders/{id}/attendees",
  tag: "Orders",
  summary: "List an order's attendees",
});

export const handler = lambda(listOrderAttendees);
