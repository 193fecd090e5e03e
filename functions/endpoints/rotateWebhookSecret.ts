import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../resources/fields.ts";
import { WebhookWithSecret } from "../webhooks/webhook.ts";
import { changedMeanwhile, webhookRepository } from "../webhooks/webhookRepository.ts";

export const rotateWebhookSecret = endpoint(
  {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/webhooks/{id}/rotate-secret",
    summary: "Make a new signing secret",
    description:
      "The secret before signs beside the new one for 24 hours. If the response is lost, rotate again, and the receiver needs the new secret at once.",
    caller: superAdmin(),
    table: ["GetItem", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    response: WebhookWithSecret,
    conflict: changedMeanwhile,
    isSecret: true,
    signs: true,
  },
  ({ params, principal }, { webhooks }) => webhooks.rotateSecret(params.id, principal),
);

export const handler = lambda(rotateWebhookSecret);
