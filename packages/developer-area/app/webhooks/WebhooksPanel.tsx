import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useWebhooks } from "../api/queries.ts";
import type { Webhook } from "../api/types.ts";
import { useNow, webhookHref } from "../parts/hooks.ts";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { healthOf, nameOf, type OpenWebhookDialog, typesOf } from "./webhookRules.ts";

/** The organisation's webhooks, with what an operator asks first: does it deliver? */
export function WebhooksPanel({ onOpen }: { onOpen: (dialog: OpenWebhookDialog) => void }) {
  const { data: webhooks, error, refetch, isPaused } = useWebhooks();
  const create = () => onOpen({ kind: "create" });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Webhooks
        </Title>
        {webhooks && webhooks.length > 0 && <Button onClick={create}>Create webhook</Button>}
      </Group>
      <Text size="sm" c="dimmed">
        A webhook posts changes of your data to another system a few seconds after they happen, so that it need not ask
        for them.
      </Text>
      {error && <ErrorNotice title="The webhooks could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <Waiting label="Loading the webhooks" paused={isPaused} />}
      {webhooks?.length === 0 && (
        <Paper withBorder radius="md" className="empty-keys">
          <Text fw={600}>There are no webhooks yet</Text>
          <Button onClick={create}>Create the first webhook</Button>
        </Paper>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="activity webhooks" aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Stack>
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
        <div className="key-detail breakable">{webhook.url}</div>
        <div className="key-detail">{typesOf(webhook)}</div>
      </div>
      <HealthText webhook={webhook} />
    </li>
  );
}

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { status, color } = healthOf(webhook, useNow());
  return (
    <Badge className="status" tt="none" variant="light" color={color}>
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
