import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { Preconditions, preconditionCheck } from "../api/preconditions.ts";
import { singleSchema } from "../api/resourceEndpoints.ts";
import { orderNoteRepository } from "../records/orderNoteRepository.ts";
import { resources } from "../resources/index.ts";
import { OrderUpdate, orders } from "../resources/order.ts";

export const updateOrder = endpoint(
  {
    operationId: "updateOrder",
    method: "PATCH",
    path: "/v1/orders/{id}",
    tag: "Orders",
    summary: "Update an order's admin note",
    description:
      "Sets or removes the back office's note. Later updates from the core system do not change the note, unless they end it or anonymise the order. Returns the updated order.",
    caller: apiKeyHolder("write:orders"),
    tableAccess: "orderNotes",
    table: ["UpdateItem", "GetItem", "Query"],
    repositories: { notes: orderNoteRepository },
    params: idOf("order"),
    headers: Preconditions,
    body: OrderUpdate,
    response: () => singleSchema(orders, resources),
  },
  ({ params, headers, body }, { notes }) => notes.set(params.id, body.admin_note, preconditionCheck(headers)),
);

export const handler = lambda(updateOrder);
