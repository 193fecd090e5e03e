import { Alert, Badge, Button, Group, Text } from "@mantine/core";
import { type KeyboardEvent, useRef, useState } from "react";
import { WebhookActivity } from "../activity/ActivityPanel.tsx";
import { bodyOf } from "../api/adminApi.ts";
import { useDeliveries, useWebhooks } from "../api/queries.ts";
import type { Webhook, WebhookDelivery } from "../api/types.ts";
import { listHref } from "../parts/address.ts";
import { CardRow, CardTable } from "../parts/CardTable.tsx";
import { useNow } from "../parts/hooks.ts";
import { Facts, ItemPage, Section } from "../parts/ItemPage.tsx";
import { Done, ExactTime, RelativeTime } from "../parts/Labels.tsx";
import { MoreButton, Rows } from "../parts/ListPanel.tsx";
import { Failure, useSending } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { RefusedAdvice } from "./RefusedAdvice.tsx";
import { WebhookDialog } from "./WebhookDialog.tsx";
import { HealthText, WebhookStatus } from "./WebhooksPanel.tsx";
import { answerOf, earlierSecretUntil, nameOf, needsRepair, typesOf } from "./webhookRules.ts";

export function WebhookPage({ webhookId }: { webhookId: string }) {
  const query = useWebhooks();
  const webhook = query.data?.find(({ id }) => id === webhookId);
  return (
    <ItemPage
      back={{ href: listHref("webhooks"), label: "All webhooks" }}
      what="webhook"
      name={query.data ? webhook && nameOf(webhook) : null}
      query={query}
      status={webhook && <WebhookStatus webhook={webhook} />}
      actions={webhook && <Actions webhook={webhook} />}
    >
      {webhook && (
        <>
          <Repair webhook={webhook} />
          <WebhookFacts webhook={webhook} />
          <Deliveries webhookId={webhook.id} />
          <WebhookActivity webhookId={webhook.id} />
        </>
      )}
    </ItemPage>
  );
}

function Repair({ webhook }: { webhook: Webhook }) {
  if (!needsRepair(webhook)) return null;
  const isDisabled = webhook.status === "disabled";
  return (
    <Alert color={isDisabled ? "red" : "yellow"} title={isDisabled ? "Nothing is sent" : "The latest delivery failed"}>
      The latest deliveries below show the reason. Fix the receiver, then choose {isDisabled ? "Resume" : "Try now"}. It
      then gets the changes of the last 30 days that it missed.
    </Alert>
  );
}

const dialogs = { test: "Test", edit: "Edit", replay: "Replay", rotate: "Rotate secret", delete: "Delete" } as const;
const kinds = Object.keys(dialogs) as (keyof typeof dialogs)[];

/** One of the actions below "More". Mantine's menu would add an eighth to the page's scripts. */
function Item({ isDangerous = false, ...others }: { isDangerous?: boolean; children: string; onClick: () => void }) {
  return <Button size="compact-sm" variant="subtle" color={isDangerous ? "red" : undefined} {...others} />;
}

/** The most likely action for the webhook's state, and all others below "More". */
function Actions({ webhook }: { webhook: Webhook }) {
  const { id, status } = webhook;
  const { api, open, announce, showWebhook } = useAdmin();
  const { busy, error, unanswered, send } = useSending(async (wanted: "active" | "paused") => {
    const update = { params: { path: { id } }, body: { status: wanted } };
    showWebhook(id, await bodyOf(api.PATCH("/admin/webhooks/{id}", update)));
    announce(wanted === "active" ? "The webhook sends again within a minute." : "The webhook is paused.");
  });
  const more = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    // The focused item disappears. A dialog returns the focus to the element that has it now.
    more.current?.focus();
    setOpen(false);
  };
  const choose = (act: () => void) => () => {
    close();
    act();
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && close();
  const delivers = status === "active" && !needsRepair(webhook);
  return (
    <>
      <Group gap="xs">
        {delivers ? (
          <Button size="compact-sm" onClick={() => open(<WebhookDialog kind="test" webhookId={id} />)}>
            Test
          </Button>
        ) : (
          <Button size="compact-sm" loading={busy} onClick={() => void send("active")}>
            {status === "active" ? "Try now" : "Resume"}
          </Button>
        )}
        <Button
          ref={more}
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={closeOnEscape}
        >
          More
        </Button>
      </Group>
      {isOpen && (
        <Group gap="xs" onKeyDown={closeOnEscape}>
          {status === "active" && <Item onClick={choose(() => void send("paused"))}>Pause</Item>}
          {kinds
            .filter((kind) => !(delivers && kind === "test"))
            .map((kind) => (
              <Item
                key={kind}
                isDangerous={kind === "delete"}
                onClick={choose(() => open(<WebhookDialog kind={kind} webhookId={id} />))}
              >
                {dialogs[kind]}
              </Item>
            ))}
        </Group>
      )}
      {error && (
        <Failure
          error={error}
          outcome={{ done: "the webhook was changed", failed: "The webhook was not changed" }}
          isUnknown={unanswered !== null}
          advice="The page shows its current state. You can try again."
        />
      )}
    </>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { open } = useAdmin();
  const { id, url, created, created_by } = webhook;
  const bothSignUntil = earlierSecretUntil(webhook, useNow());
  const facts = {
    Health: <HealthText webhook={webhook} />,
    Address: <code className="breakable">{url}</code>,
    Changes: typesOf(webhook),
    "Signing secret": bothSignUntil !== null && (
      <>
        Signed with both secrets until <ExactTime instant={bothSignUntil} />
        <div>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => open(<WebhookDialog kind="endEarlierSecret" webhookId={id} />)}
          >
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
  return (
    <Section id="deliveries" title="Latest deliveries">
      <Rows
        list={pages}
        what="the deliveries"
        failure="The deliveries could not be loaded"
        empty={<Text size="sm">Nothing was sent in the last 7 days.</Text>}
      >
        {(deliveries) => (
          <>
            {deliveries.some(({ status }) => status === 400) && <RefusedAdvice />}
            <DeliveriesTable deliveries={deliveries} />
            {pages.hasNextPage && (
              <MoreButton isLoading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()} />
            )}
          </>
        )}
      </Rows>
    </Section>
  );
}

function DeliveriesTable({ deliveries }: { deliveries: WebhookDelivery[] }) {
  const columns = ["Time", "Response", "Changes", "Attempt", "Message id"];
  return (
    <CardTable className="failures" aria-labelledby="deliveries" columns={columns}>
      {deliveries.map((delivery) => (
        <CardRow
          key={delivery.id}
          cells={{
            Time: <RelativeTime instant={delivery.time} />,
            Response: answerOf(delivery),
            Changes: (
              <>
                {delivery.changes === 1 ? "1 change" : `${delivery.changes} changes`}{" "}
                {delivery.replay && <Badge color="gray">Replay</Badge>}
              </>
            ),
            Attempt: delivery.attempt === 1 ? "first" : `attempt ${delivery.attempt}`,
            "Message id": <code className="request-id">{delivery.message_id}</code>,
          }}
        />
      ))}
    </CardTable>
  );
}
