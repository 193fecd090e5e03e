import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { useWebhooks } from "../api/queries.ts";
import type { Webhook } from "../api/types.ts";
import { webhookHref } from "../parts/address.ts";
import { useNow } from "../parts/hooks.ts";
import { ListPanel } from "../parts/ListPanel.tsx";
import { EmptyList } from "../parts/Notices.tsx";
import { healthOf, nameOf, type OpenWebhookDialog, typesOf } from "./webhookRules.ts";

/** The organisation's webhooks, with what an operator asks first: does it deliver? */
export function WebhooksPanel({ onOpen }: { onOpen: (dialog: OpenWebhookDialog) => void }) {
  const { data: rows, error, refetch, isPaused } = useWebhooks();
  const create = () => onOpen({ kind: "create" });
  return (
    <ListPanel
      title="Webhooks"
      intro="A webhook posts changes of your data to another system a few seconds after they happen, so that it need not ask for them."
      list={{ rows, error, isPaused, retry: refetch }}
      what="the webhooks"
      action={<Button onClick={create}>Create webhook</Button>}
      empty={<EmptyList title="There are no webhooks yet" action="Create the first webhook" onAction={create} />}
    >
      {(webhooks) => (
        <ul className="activity" aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </ListPanel>
  );
}

function WebhookItem({ webhook }: { webhook: Webhook }) {
  return (
    <li>
      <div>
        <Group gap="sm">
          <Anchor href={webhookHref(webhook.id)} fw={600} className="breakable">
            {nameOf(webhook)}
          </Anchor>
          <WebhookStatus webhook={webhook} />
        </Group>
        <div className="detail breakable">{webhook.url}</div>
        <div className="detail">{typesOf(webhook)}</div>
      </div>
      <HealthText webhook={webhook} />
    </li>
  );
}

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { status, color } = healthOf(webhook, useNow());
  return (
    <Badge className="status" color={color}>
      {status}
    </Badge>
  );
}

export function HealthText({ webhook }: { webhook: Webhook }) {
  return (
    <Text size="sm" component="span">
      {healthOf(webhook, useNow()).text}
    </Text>
  );
}
