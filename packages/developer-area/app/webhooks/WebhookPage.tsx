import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { bodyOf } from "../api/adminApi.ts";
import { useDeliveries, useWebhooks } from "../api/queries.ts";
import type { Webhook, WebhookDelivery } from "../api/types.ts";
import { Fact, Facts } from "../keys/KeyFacts.tsx";
import { CardRow, CardTable } from "../parts/CardTable.tsx";
import { focusOnMount, useNow } from "../parts/hooks.ts";
import { ExactTime, Icon, PersonName, RelativeTime } from "../parts/Labels.tsx";
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
    <Stack gap="lg">
      <Anchor href="#webhooks" size="sm" style={{ alignSelf: "start" }}>
        <Icon path="M19 12H5M11 6l-6 6 6 6" /> All webhooks
      </Anchor>
      {error && <ErrorNotice title="The webhook could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <Waiting label="Loading the webhook" paused={isPaused} />}
      {webhooks && !webhook && (
        <Title order={1} size="h2" ref={focusOnMount} tabIndex={-1}>
          This webhook does not exist
        </Title>
      )}
      {webhook && (
        <>
          <Group justify="space-between">
            <Group gap="sm" miw={0}>
              <Title order={1} size="h2" ref={focusOnMount} tabIndex={-1} className="key-name">
                {nameOf(webhook)}
              </Title>
              <WebhookStatus webhook={webhook} />
            </Group>
            <Actions webhook={webhook} onOpen={onOpen} />
          </Group>
          <WebhookFacts webhook={webhook} onOpen={onOpen} />
          <Deliveries webhookId={webhook.id} />
        </>
      )}
    </Stack>
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
  return (
    <Facts>
      <Fact name="Health">
        <HealthText webhook={webhook} />
      </Fact>
      <Fact name="Address">
        <code className="breakable">{url}</code>
      </Fact>
      <Fact name="Changes of">{typesOf(webhook)}</Fact>
      {bothSignUntil !== null && (
        <Fact name="Signing secret">
          Both secrets sign until <ExactTime instant={bothSignUntil} />
          <div>
            <Button size="compact-sm" variant="default" onClick={() => onOpen({ kind: "endEarlierSecret", id })}>
              End the earlier secret
            </Button>
          </div>
        </Fact>
      )}
      <Fact name="Created">
        <RelativeTime instant={created} /> by <PersonName name={created_by} />
        <div className="detail">
          <ExactTime instant={created} />
        </div>
      </Fact>
    </Facts>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const pages = useDeliveries(webhookId);
  const { rows: deliveries, error, isPaused, retry } = pages;
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} size="h5" id="deliveries">
        Latest deliveries
      </Title>
      {error && <ErrorNotice title="The deliveries could not be loaded" error={error} onRetry={retry} />}
      {!deliveries && !error && <Waiting label="Loading the deliveries" paused={isPaused} />}
      {deliveries?.length === 0 && <Text size="sm">Nothing was sent in the last 7 days.</Text>}
      {deliveries && deliveries.length > 0 && <DeliveriesTable deliveries={deliveries} />}
      {pages.hasNextPage && <MoreButton list={pages} />}
    </section>
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
