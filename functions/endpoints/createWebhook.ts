import * as z from "zod";
import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { Reply } from "../api/response.ts";
import { text } from "../resources/fields.ts";
import { NewWebhook, WebhookWithSecret } from "../webhooks/webhook.ts";
import { noMoreWebhooks, webhookRepository } from "../webhooks/webhookRepository.ts";

const CreationKey = text(1, 255).optional().meta({
  description:
    "A unique text for each new webhook. The same request with it within 24 hours gets the same webhook and secret, with `Idempotency-Replayed: true`.",
});

export const createWebhook = endpoint(
  {
    operationId: "createWebhook",
    method: "POST",
    path: "/admin/webhooks",
    summary: "Create a webhook",
    description:
      "It sends the changes that the service accepts from now on. Only this response, and that of a rotation, shows the signing secret. Send an `Idempotency-Key`: if the response is lost, the same request returns the same webhook again.",
    caller: superAdmin(),
    table: ["GetItem", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    headers: z.object({ "idempotency-key": CreationKey }),
    body: NewWebhook,
    status: 201,
    response: WebhookWithSecret,
    responseHeaders: ["Location", "Idempotency-Replayed"],
    conflict: noMoreWebhooks,
    isSecret: true,
    signs: true,
  },
  async ({ body, headers, principal }, { webhooks }) => {
    const { webhook, isReplayed } = await webhooks.create(body, principal, headers["idempotency-key"]);
    const replayed: Record<string, string> = isReplayed ? { "Idempotency-Replayed": "true" } : {};
    return new Reply(webhook, { Location: `/admin/webhooks/${webhook.id}`, ...replayed });
  },
);

export const handler = lambda(createWebhook);
