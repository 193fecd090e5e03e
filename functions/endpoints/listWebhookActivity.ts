import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { WebhookActivity } from "../webhooks/webhook.ts";
import { webhookListRepository } from "../webhooks/webhookListRepository.ts";

export const listWebhookActivity = endpoint(
  {
    operationId: "listWebhookActivity",
    method: "GET",
    path: "/admin/webhook-activity",
    tag: "Webhooks",
    summary: "List what was done to webhooks, latest first",
    caller: superAdmin(),
    reach: "webhookAdministration",
    table: ["Query"],
    repositories: { webhooks: webhookListRepository },
    query: PageQuery,
    response: pageOf(WebhookActivity),
  },
  ({ query }, { webhooks }) => webhooks.listActivity(query),
);

export const handler = lambda(listWebhookActivity);
