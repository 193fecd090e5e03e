import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { Reply } from "../api/response.ts";
import { notRotated, SecretHeaders, WebhookWithSecret } from "../webhooks/webhook.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const rotateWebhookSecret = endpoint(
  {
    operationId: "rotateWebhookSecret",
    method: "POST",
    path: "/admin/webhooks/{id}/rotate-secret",
    tag: "Webhooks",
    summary: "Rotate the signing secret",
    description:
      "Creates a new signing secret. The earlier secret also signs for 24 hours. Until then, or until `PATCH` ends it, another rotation gets 409. Always send an `Idempotency-Key`, because your HTTP library may repeat the request even if your program does not. If the response is lost, a retry with the same `Idempotency-Key` returns the same secret.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    headers: SecretHeaders,
    response: WebhookWithSecret,
    responseHeaders: ["Idempotency-Replayed"],
    conflict: notRotated,
    isSecret: true,
    signs: true,
  },
  async ({ params, headers, principal }, { webhooks }) => {
    const { webhook, isReplayed } = await webhooks.rotateSecret(params.id, principal, headers["idempotency-key"]);
    return new Reply(webhook, {}, isReplayed);
  },
);

export const handler = lambda(rotateWebhookSecret);
