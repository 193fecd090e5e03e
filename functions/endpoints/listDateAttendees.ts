import { attendeeRepository } from "../data/repositories/attendeeRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Attendee } from "../resources/attendee.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { idOf } from "../resources/resourceId.ts";

export const listDateAttendees = endpoint(
  {
    operationId: "listDateAttendees",
    method: "GET",
    path: "/v1/dates/{id}/attendees",
    summary: "List a date's attendees",
    description: "The attendees with their answers, for example for a door list. Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { attendees: attendeeRepository },
    params: idOf("date"),
    query: PageQuery,
    response: pageOf(Attendee),
  },
  ({ params, query }, { attendees }) => attendees.listOfDate(params.id, query),
);

export const handler = lambda(listDateAttendees);
