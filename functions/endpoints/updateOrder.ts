import * as z from "zod";
import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { singleSchema } from "../api/resourceEndpoints.ts";
import { orderNoteRepository } from "../records/orderNoteRepository.ts";
import { EntityTags, exampleTag } from "../resources/entityTag.ts";
import { OrderUpdate, orders } from "../resources/order.ts";

const ConditionHeaders = z.object({
  "if-match": EntityTags.meta({
    description:
      "The `ETag` of the resource as you read it. If the resource has changed since, the response is 412 and nothing changes.",
    examples: [exampleTag],
  }),
  "if-none-match": EntityTags.meta({
    description:
      "An `ETag` that the resource must not have; otherwise the response is 412 and nothing changes. `*` means any `ETag`.",
    examples: [exampleTag],
  }),
});

export const updateOrder = endpoint(
  {
    operationId: "updateOrder",
    method: "PATCH",
    path: "/v1/orders/{id}",
    tag: "Orders",
    summary: "Update an order's admin note",
    description:
      "Sets or removes the back office's note. Later updates from the core system do not change the note. Returns the updated order.",
    caller: apiKeyHolder("write:orders"),
    tableAccess: "organisationData",
    table: ["UpdateItem", "GetItem", "Query"],
    repositories: { notes: orderNoteRepository },
    params: idOf("order"),
    headers: ConditionHeaders,
    body: OrderUpdate,
    response: () => singleSchema(orders),
  },
  ({ params, headers, body }, { notes }) =>
    notes.set(params.id, body.admin_note, headers["if-match"], headers["if-none-match"]),
);

export const handler = lambda(updateOrder);
