import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Attendee, attendees } from "../resources/attendee.ts";
import { idOf } from "../resources/fields.ts";

export const getAttendee = endpoint(
  {
    operationId: "getAttendee",
    method: "GET",
    path: "/v1/attendees/{id}",
    summary: "Get one attendee",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(attendees) },
    params: idOf("attendee"),
    response: Attendee,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getAttendee);
