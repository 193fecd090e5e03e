import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Discount, discounts } from "../resources/discount.ts";
import { idOf } from "../resources/fields.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listEventDiscounts = endpoint(
  {
    operationId: "listEventDiscounts",
    method: "GET",
    path: "/v1/events/{id}/discounts",
    summary: "List an event's discounts",
    description: "Ordered by `id` ascending.",
    caller: apiKeyHolder("read"),
    table: ["Query", "GetItem"],
    repositories: { rows: repositoryOf(discounts) },
    params: idOf("event"),
    query: PageQuery,
    response: pageOf(Discount),
  },
  ({ params, query }, { rows }) => rows.ofEvent(params.id, query),
);

export const handler = lambda(listEventDiscounts);
