import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { WebhookTest } from "../webhooks/webhook.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const testWebhook = endpoint(
  {
    operationId: "testWebhook",
    method: "POST",
    path: "/admin/webhooks/{id}/test",
    tag: "Webhooks",
    summary: "Send a test message",
    description:
      "Sends a signed message of the type `test` now, even if the webhook is not active, and returns the receiver's response. This changes nothing.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    response: WebhookTest,
    isSecret: true,
    signs: true,
    // A receiver may take ten seconds.
    timeoutMs: 20_000,
  },
  ({ params, baseUrl }, { webhooks }) => webhooks.test(params.id, baseUrl),
);

export const handler = lambda(testWebhook);
