import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Attendee, attendees } from "../resources/attendee.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listDateAttendees = endpoint(
  {
    operationId: "listDateAttendees",
    method: "GET",
    path: "/v1/dates/{id}/attendees",
    summary: "List a date's attendees",
    description: "The attendees with their answers, for example for a door list. Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(attendees) },
    params: idOf("date"),
    query: PageQuery,
    response: pageOf(Attendee),
  },
  ({ params, query }, { rows }) => rows.ofDate(params.id, query),
);

export const handler = lambda(listDateAttendees);
