import * as z from "zod";
import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { orderNoteRepository } from "../records/orderNoteRepository.ts";
import { entityTagsPattern } from "../resources/entityTag.ts";
import { OrderWithTickets } from "../resources/expanded.ts";
import { OrderUpdate } from "../resources/order.ts";

const exampleTag = '"q3ZlY1Yd0m8xkq4T0p2s7A"';

const EntityTags = z
  .string()
  .regex(entityTagsPattern, "Must be an entity tag in quotation marks, as in the ETag header.")
  .optional();

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
    response: OrderWithTickets,
  },
  ({ params, headers, body }, { notes }) =>
    notes.set(params.id, body.admin_note, headers["if-match"], headers["if-none-match"]),
);

export const handler = lambda(updateOrder);
