import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { Webhook } from "../webhooks/webhook.ts";
import { webhookListRepository } from "../webhooks/webhookListRepository.ts";

export const listWebhooks = endpoint(
  {
    operationId: "listWebhooks",
    method: "GET",
    path: "/admin/webhooks",
    tag: "Webhooks",
    summary: "List webhooks, newest first",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["Query"],
    repositories: { webhooks: webhookListRepository },
    query: PageQuery,
    response: pageOf(Webhook),
  },
  ({ query }, { webhooks }) => webhooks.list(query),
);

export const handler = lambda(listWebhooks);
