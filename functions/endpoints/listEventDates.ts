import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { dateRepository } from "../records/dateRepository.ts";
import { EventDatesQuery, ExpandedEventDate } from "../resources/expanded.ts";
import { pageOf } from "../resources/page.ts";

export const listEventDates = endpoint(
  {
    operationId: "listEventDates",
    method: "GET",
    path: "/v1/events/{id}/dates",
    tag: "Events",
    summary: "List an event's dates, soonest first",
    description: "Ordered by `date` ascending as instants, then by `id` ascending.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem", "BatchGetItem"],
    repositories: { dates: dateRepository },
    params: idOf("event"),
    query: EventDatesQuery,
    response: pageOf(ExpandedEventDate),
  },
  ({ params, query }, { dates }) => dates.ofEvent(params.id, query),
);

export const handler = lambda(listEventDates);
