import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { DatesQuery, dates, EventDate } from "../resources/eventDate.ts";
import { pageOf } from "../resources/page.ts";

export const listDates = endpoint(
  {
    operationId: "listDates",
    method: "GET",
    path: "/v1/dates",
    summary: "List dates of all events, soonest first",
    description: "Ordered by `date` ascending as instants, then by `id` ascending. `from` and `to` limit the start.",
    caller: apiKeyHolder("read"),
    table: ["Query"],
    repositories: { rows: repositoryOf(dates) },
    query: DatesQuery,
    response: pageOf(EventDate),
  },
  ({ query }, { rows }) => rows.all(query),
);

export const handler = lambda(listDates);
