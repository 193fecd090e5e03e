import * as z from "zod";
import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const deleteWebhook = endpoint(
  {
    operationId: "deleteWebhook",
    method: "DELETE",
    path: "/admin/webhooks/{id}",
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "A message that is being sent may still arrive. This cannot be undone.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "TransactWriteItems", "DeleteItem"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    status: 204,
    response: z.void(),
  },
  ({ params, principal }, { webhooks }) => webhooks.delete(params.id, principal),
);

export const handler = lambda(deleteWebhook);
