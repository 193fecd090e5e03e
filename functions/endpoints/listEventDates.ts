import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { dates, EventDate } from "../resources/eventDate.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listEventDates = endpoint(
  {
    operationId: "listEventDates",
    method: "GET",
    path: "/v1/events/{id}/dates",
    summary: "List an event's dates, soonest first",
    description: "Ordered by `date` ascending as instants, then by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(dates) },
    params: idOf("event"),
    query: PageQuery,
    response: pageOf(EventDate),
  },
  ({ params, query }, { rows }) => rows.ofEvent(params.id, query),
);

export const handler = lambda(listEventDates);
