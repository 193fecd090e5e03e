import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Attendee, AttendeesQuery, attendees } from "../resources/attendee.ts";
import { pageOf } from "../resources/page.ts";

export const listAttendees = endpoint(
  {
    operationId: "listAttendees",
    method: "GET",
    path: "/v1/attendees",
    tag: "Attendees",
    summary: "Find attendees by e-mail address",
    description:
      "Lists the organisation's attendees with this e-mail address, ordered by `date_created` descending as instants, then by `id` descending. If nobody has it, the list is empty.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(attendees) },
    query: AttendeesQuery,
    response: pageOf(Attendee),
  },
  ({ query }, { rows }) => rows.byEmail(query.email, query),
);

export const handler = lambda(listAttendees);
