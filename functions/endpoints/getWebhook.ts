import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { Webhook } from "../webhooks/webhook.ts";
import { webhookListRepository } from "../webhooks/webhookListRepository.ts";

export const getWebhook = endpoint(
  {
    operationId: "getWebhook",
    method: "GET",
    path: "/admin/webhooks/{id}",
    tag: "Webhooks",
    summary: "Get a webhook",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem"],
    repositories: { webhooks: webhookListRepository },
    params: timeOrderedIdOf("webhook"),
    response: Webhook,
  },
  ({ params }, { webhooks }) => webhooks.get(params.id),
);

export const handler = lambda(getWebhook);
