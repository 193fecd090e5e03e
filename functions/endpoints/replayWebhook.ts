import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { changedMeanwhile, Replay, Webhook } from "../webhooks/webhook.ts";
import { webhookRepository } from "../webhooks/webhookRepository.ts";

export const replayWebhook = endpoint(
  {
    operationId: "replayWebhook",
    method: "POST",
    path: "/admin/webhooks/{id}/replay",
    tag: "Webhooks",
    summary: "Send changes again",
    description:
      "Sends all changes since a time within the last 30 days again, each resource at its latest change. Messages usually start after seven seconds, at the latest after about a minute.",
    caller: superAdmin(),
    tableAccess: "webhookAdministration",
    table: ["GetItem", "TransactWriteItems"],
    repositories: { webhooks: webhookRepository },
    params: timeOrderedIdOf("webhook"),
    body: Replay,
    response: Webhook,
    conflict: changedMeanwhile,
    wakes: true,
  },
  ({ params, body, principal }, { webhooks }) => webhooks.replay(params.id, body.from, principal),
);

export const handler = lambda(replayWebhook);
