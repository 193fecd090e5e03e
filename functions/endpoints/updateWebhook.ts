import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { changedMeanwhile, Webhook, WebhookUpdate } from "../webhooks/webhook.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const updateWebhook = endpoint(
  {
    operationId: "updateWebhook",
    method: "PATCH",
    path: "/admin/webhooks/{id}",
    tag: "Webhooks",
    summary: "Change, pause or resume a webhook",
    description:
      "A webhook that becomes `active` continues after the last delivered change. If that is more than 30 days ago, it starts over with a message of the type `restart`.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    body: WebhookUpdate,
    response: Webhook,
    conflict: changedMeanwhile,
    wakes: true,
  },
  ({ params, body, principal }, { webhooks }) => webhooks.update(params.id, body, principal),
);

export const handler = lambda(updateWebhook);
