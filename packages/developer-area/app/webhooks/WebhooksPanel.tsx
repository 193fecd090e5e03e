import { Anchor, Badge, Button, Group, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useWebhooks } from "../api/queries.ts";
import type { Webhook } from "../api/types.ts";
import { useFilters, webhookHref } from "../parts/address.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { useNow } from "../parts/hooks.ts";
import { ListPanel } from "../parts/ListPanel.tsx";
import { EmptyList } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { CreateWebhook } from "./WebhookForm.tsx";
import { healthOf, matches, maximumWebhooks, nameOf, needsRepair, typesOf } from "./webhookRules.ts";

const withoutSearch = { search: "" };

export function WebhooksPanel() {
  const { open } = useAdmin();
  const { data: rows, error, refetch } = useWebhooks();
  const { filters, change, field } = useFilters("webhooks", withoutSearch);
  const create = () =>
    open(
      <Dialog title="Create a webhook">
        <CreateWebhook />
      </Dialog>,
    );
  const isFull = rows !== undefined && rows.length >= maximumWebhooks;
  return (
    <ListPanel
      title="Webhooks"
      intro={`A webhook notifies another system of changes to your data within seconds, so that the system does not have to poll. An organisation can have up to ${maximumWebhooks} webhooks.`}
      list={{ rows, error, retry: refetch }}
      what="the webhooks"
      failure="The webhooks could not be loaded"
      action={
        isFull ? (
          <Text size="sm">You have {maximumWebhooks} webhooks. To create another, delete one first.</Text>
        ) : (
          <Button onClick={create}>Create webhook</Button>
        )
      }
      filters={
        <TextInput
          type="search"
          aria-label="Search webhooks"
          placeholder="Name or address"
          autoComplete="off"
          {...field("search")}
        />
      }
      empty={<EmptyList title="There are no webhooks yet" action="Create the first webhook" onAction={create} />}
    >
      {(webhooks) => {
        const matching = webhooks.filter((webhook) => matches(webhook, filters.search));
        const clear = () => change(withoutSearch);
        if (matching.length === 0)
          return <EmptyList title="No webhook matches" action="Clear the search" onAction={clear} isFiltered />;
        return (
          <ul className="activity" aria-label="Webhooks">
            {matching.map((webhook) => (
              <WebhookItem key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        );
      }}
    </ListPanel>
  );
}

/** The number of webhooks that need repair, for the tab; nothing if all deliver. */
export function RepairCount() {
  const { data: webhooks = [] } = useWebhooks();
  const count = webhooks.filter(needsRepair).length;
  if (count === 0) return null;
  return (
    <Badge size="sm" color="red">
      {count} <VisuallyHidden>failing or disabled</VisuallyHidden>
    </Badge>
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
