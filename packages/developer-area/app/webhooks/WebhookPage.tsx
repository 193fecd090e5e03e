import { Button, Group, Text } from "@mantine/core";
import { bodyOf } from "../api/adminApi.ts";
import { useDeliveries, useWebhooks } from "../api/queries.ts";
import type { Webhook, WebhookDelivery } from "../api/types.ts";
import { CardRow, CardTable } from "../parts/CardTable.tsx";
import { useNow } from "../parts/hooks.ts";
import { Facts, ItemPage, Section } from "../parts/ItemPage.tsx";
import { Done, ExactTime, RelativeTime } from "../parts/Labels.tsx";
import { MoreButton } from "../parts/ListPanel.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { Failure, useSending } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { HealthText, WebhookStatus } from "./WebhooksPanel.tsx";
import { answerOf, earlierSecretUntil, nameOf, type OpenWebhookDialog, typesOf } from "./webhookRules.ts";

interface WebhookPageProps {
  webhookId: string;
  onOpen: (dialog: OpenWebhookDialog) => void;
}

/** One webhook: whether it delivers, what the receiver responded, and what can be done about it. */
export function WebhookPage({ webhookId, onOpen }: WebhookPageProps) {
  const { data: webhooks, error, isPaused, refetch } = useWebhooks();
  const webhook = webhooks?.find(({ id }) => id === webhookId);
  return (
    <ItemPage
      back={{ href: "#webhooks", label: "All webhooks" }}
      what="webhook"
      name={webhooks ? webhook && nameOf(webhook) : null}
      isPaused={isPaused}
      notice={
        error && <ErrorNotice title="The webhook could not be loaded" error={error} onRetry={() => void refetch()} />
      }
      status={webhook && <WebhookStatus webhook={webhook} />}
      actions={webhook && <Actions webhook={webhook} onOpen={onOpen} />}
    >
      {webhook && (
        <>
          <WebhookFacts webhook={webhook} onOpen={onOpen} />
          <Deliveries webhookId={webhook.id} />
        </>
      )}
    </ItemPage>
  );
}

function Actions({ webhook: { id, status }, onOpen }: { webhook: Webhook; onOpen: WebhookPageProps["onOpen"] }) {
  const { api, announce, showWebhook } = useAdmin();
  const { busy, error, unanswered, send } = useSending(async (wanted: "active" | "paused") => {
    const update = { params: { path: { id } }, body: { status: wanted } };
    showWebhook(id, await bodyOf(api.PATCH("/admin/webhooks/{id}", update)));
    announce(wanted === "active" ? "The webhook continues within a minute." : "The webhook is paused.");
  });
  const dialogs = { test: "Test", edit: "Edit", replay: "Replay", rotate: "Rotate secret", delete: "Delete" } as const;
  return (
    <>
      <Group gap={4}>
        <Button
          size="compact-sm"
          variant="default"
          loading={busy}
          onClick={() => void send(status === "active" ? "paused" : "active")}
        >
          {status === "active" ? "Pause" : "Continue"}
        </Button>
        {(Object.keys(dialogs) as (keyof typeof dialogs)[]).map((kind) => (
          <Button
            key={kind}
            size="compact-sm"
            variant={kind === "delete" ? "subtle" : "default"}
            color={kind === "delete" ? "red" : undefined}
            onClick={() => onOpen({ kind, id })}
          >
            {dialogs[kind]}
          </Button>
        ))}
      </Group>
      {error && (
        <Failure
          error={error}
          what="the webhook was changed"
          isUnknown={unanswered !== null}
          advice="The page shows what the service says. You can try again."
        />
      )}
    </>
  );
}

function WebhookFacts({ webhook, onOpen }: { webhook: Webhook; onOpen: WebhookPageProps["onOpen"] }) {
  const { id, url, created, created_by } = webhook;
  const bothSignUntil = earlierSecretUntil(webhook, useNow());
  const facts = {
    Health: <HealthText webhook={webhook} />,
    Address: <code className="breakable">{url}</code>,
    "Changes of": typesOf(webhook),
    "Signing secret": bothSignUntil !== null && (
      <>
        Both secrets sign until <ExactTime instant={bothSignUntil} />
        <div>
          <Button size="compact-sm" variant="default" onClick={() => onOpen({ kind: "endEarlierSecret", id })}>
            End the earlier secret
          </Button>
        </div>
      </>
    ),
    Created: <Done time={created} person={created_by} />,
  };
  return <Facts facts={facts} />;
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const pages = useDeliveries(webhookId);
  const { rows: deliveries, error, isPaused, retry } = pages;
  return (
    <Section id="deliveries" title="Latest deliveries">
      {error && <ErrorNotice title="The deliveries could not be loaded" error={error} onRetry={retry} />}
      {!deliveries && !error && <Waiting label="Loading the deliveries" paused={isPaused} />}
      {deliveries?.length === 0 && <Text size="sm">Nothing was sent in the last 7 days.</Text>}
      {deliveries && deliveries.length > 0 && <DeliveriesTable deliveries={deliveries} />}
      {pages.hasNextPage && <MoreButton list={pages} />}
    </Section>
  );
}

function DeliveriesTable({ deliveries }: { deliveries: WebhookDelivery[] }) {
  const columns = ["Time", "The receiver responded", "Changes", "Attempt", "Message id"];
  return (
    <CardTable className="failures" aria-labelledby="deliveries" columns={columns}>
      {deliveries.map((delivery) => (
        <CardRow
          key={delivery.id}
          cells={{
            Time: <RelativeTime instant={delivery.time} />,
            "The receiver responded": answerOf(delivery),
            Changes: `${delivery.changes} changes`,
            Attempt: delivery.attempt === 1 ? "first" : `attempt ${delivery.attempt}`,
            "Message id": <code className="request-id">{delivery.message_id}</code>,
          }}
        />
      ))}
    </CardTable>
  );
}
