import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { Reply } from "../api/response.ts";
import { noMoreWebhooks, SecretHeaders, WebhookInput, WebhookWithSecret } from "../webhooks/webhook.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const createWebhook = endpoint(
  {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/webhooks",
    tag: "Webhooks",
    summary: "Create a webhook",
    description:
      "The webhook sends the changes that the service accepts from now on. Only this response, and that of a rotation, shows a signing secret. Always send an `Idempotency-Key`, because your HTTP library may repeat the request even if your program does not. If the response is lost, a retry with the same `Idempotency-Key` returns the same webhook.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "Query", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    headers: SecretHeaders,
    body: WebhookInput,
    status: 201,
    response: WebhookWithSecret,
    responseHeaders: ["Location", "Idempotency-Replayed"],
    conflict: noMoreWebhooks,
    isSecret: true,
    signs: true,
    wakes: true,
  },
  async ({ body, headers, principal }, { webhooks }) => {
    const { webhook, isReplayed } = await webhooks.create(body, principal, headers["idempotency-key"]);
    return new Reply(webhook, { Location: `/admin/webhooks/${webhook.id}` }, isReplayed);
  },
);

export const handler = lambda(createWebhook);
