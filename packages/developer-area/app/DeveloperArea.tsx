import { Alert, Tabs, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { ActivityPanel } from "./activity/ActivityPanel.tsx";
import { ApiError } from "./api/adminApi.ts";
import { useApiKeys, useWebhooks } from "./api/queries.ts";
import { NotAllowed } from "./Frame.tsx";
import { FailuresPanel } from "./failures/FailuresPanel.tsx";
import { KeyPage } from "./keys/KeyPage.tsx";
import { KeysPanel } from "./keys/KeysPanel.tsx";
import { keyHref, listHref, type Tab, tabs, useForgetFilters, useRoute, webhookHref } from "./parts/address.ts";
import { useFocusOnReturn, useTitle } from "./parts/hooks.ts";
import { QuickStart } from "./QuickStart.tsx";
import { WebhookPage } from "./webhooks/WebhookPage.tsx";
import { RepairCount, WebhooksPanel } from "./webhooks/WebhooksPanel.tsx";
import { nameOf } from "./webhooks/webhookRules.ts";

const titles: Record<Tab, string> = {
  keys: "Keys",
  failures: "Failures",
  webhooks: "Webhooks",
  activity: "Activity",
  "quick-start": "Quick start",
};

function Suspended() {
  return (
    <Alert color="red" role="alert" title="Your organisation is suspended" mb="md">
      Its API keys get 401, its webhooks send nothing, and no key can be created. Everything works again when the
      operator of the service lifts the suspension. Ask the operator for the reason.
    </Alert>
  );
}

export function DeveloperArea() {
  const { tab, id } = useRoute();
  const keyId = tab === "keys" ? id : null;
  const { data: keys, error } = useApiKeys();
  const webhookId = tab === "webhooks" ? id : null;
  const { data: webhooks } = useWebhooks(webhookId !== null);
  const webhook = webhooks?.find((one) => one.id === webhookId);
  useTitle(titleOf());
  useFocusOnReturn((keyId && keyHref(keyId)) ?? (webhookId && webhookHref(webhookId)));
  const hasOwnTitle = keyId !== null || webhookId !== null;
  const forbidden = error instanceof ApiError && error.status === 403;
  function titleOf(): string {
    if (keyId !== null) return keys?.find((one) => one.id === keyId)?.name ?? "Key";
    if (webhookId !== null) return webhook ? nameOf(webhook) : "Webhook";
    return titles[tab];
  }
  useForgetFilters();
  const panels: Record<Tab, ReactNode> = {
    keys: keyId === null ? <KeysPanel /> : <KeyPage keyId={keyId} />,
    failures: <FailuresPanel />,
    webhooks: webhookId === null ? <WebhooksPanel /> : <WebhookPage webhookId={webhookId} />,
    activity: <ActivityPanel />,
    "quick-start": <QuickStart />,
  };
  const openTab = (name: string | null) => {
    location.hash = listHref(tabs.find((tab) => tab === name) ?? "keys");
  };
  return (
    <>
      {!hasOwnTitle || forbidden ? (
        <Title order={1}>Developer area</Title>
      ) : (
        <Text c="dimmed" size="sm">
          Developer area
        </Text>
      )}
      {forbidden ? (
        <NotAllowed />
      ) : (
        <>
          {!hasOwnTitle && (
            <Text c="dimmed" mb="md">
              Give other systems access to your organisation's ticketing data.
            </Text>
          )}
          {keys?.some(({ suspended }) => suspended) && <Suspended />}
          <Tabs value={tab} onChange={openTab} keepMounted={false}>
            <Tabs.List aria-label="Developer area">
              {tabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {titles[name]} {name === "webhooks" && <RepairCount />}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab} pt="lg">
              {panels[tab]}
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </>
  );
}
