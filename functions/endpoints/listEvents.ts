import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Event, events } from "../resources/event.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listEvents = endpoint(
  {
    operationId: "listEvents",
    method: "GET",
    path: "/v1/events",
    summary: "List events, most recent first",
    description: "Ordered by `date_created` descending, null last, then by `id` descending.",
    caller: apiKeyHolder("read"),
    table: ["Query"],
    repositories: { rows: repositoryOf(events) },
    query: PageQuery,
    response: pageOf(Event),
  },
  ({ query }, { rows }) => rows.all(query),
);

export const handler = lambda(listEvents);
