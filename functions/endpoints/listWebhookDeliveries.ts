import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { WebhookDelivery } from "../webhooks/webhook.ts";
import { webhookListRepository } from "../webhooks/webhookListRepository.ts";

export const listWebhookDeliveries = endpoint(
  {
    operationId: "listWebhookDeliveries",
    method: "GET",
    path: "/admin/webhooks/{id}/deliveries",
    tag: "Webhooks",
    summary: "List a webhook's attempts to deliver messages, latest first",
    description: "The attempts of at least the last 7 days. Receivers' responses are not stored.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "Query"],
    repositories: { webhooks: webhookListRepository },
    params: timeOrderedIdOf("webhook"),
    query: PageQuery,
    response: pageOf(WebhookDelivery),
  },
  ({ params, query }, { webhooks }) => webhooks.listDeliveries(params.id, query),
);

export const handler = lambda(listWebhookDeliveries);
