import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { TicketCategory, ticketCategories } from "../resources/ticketCategory.ts";

export const listEventTicketCategories = endpoint(
  {
    operationId: "listEventTicketCategories",
    method: "GET",
    path: "/v1/events/{id}/ticket-categories",
    summary: "List an event's ticket categories, in display order",
    description: "Ordered by `sort_index` ascending, then by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(ticketCategories) },
    params: idOf("event"),
    query: PageQuery,
    response: pageOf(TicketCategory),
  },
  ({ params, query }, { rows }) => rows.ofEvent(params.id, query),
);

export const handler = lambda(listEventTicketCategories);
