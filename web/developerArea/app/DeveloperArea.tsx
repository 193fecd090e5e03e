import { Tabs, Text, Title } from "@mantine/core";
import { useState } from "react";
import { ActivityPanel } from "./activity/ActivityPanel.tsx";
import { ApiError } from "./api/adminApi.ts";
import { useApiKeys } from "./api/queries.ts";
import { NotAllowed } from "./Frame.tsx";
import { KeyDialog, type OpenDialog } from "./keys/KeyDialog.tsx";
import { KeyPage } from "./keys/KeyPage.tsx";
import { KeysPanel } from "./keys/KeysPanel.tsx";
import { initialView } from "./keys/listView.ts";
import { type Tab, tabs, useFocusOnReturn, useRoute, useTitle } from "./parts/hooks.ts";
import { QuickStart } from "./QuickStart.tsx";

const titles: Record<Tab, string> = { keys: "Keys", activity: "Activity", "quick-start": "Quick start" };

/** The page for super-admins: keys, activity and quick start. */
export function DeveloperArea() {
  const { tab, keyId } = useRoute();
  const { data: keys, error } = useApiKeys();
  useTitle(keyId === null ? titles[tab] : (keys?.find(({ id }) => id === keyId)?.name ?? "Key"));
  useFocusOnReturn(keyId);
  const [view, setView] = useState(initialView);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const forbidden = error instanceof ApiError && error.status === 403;
  const openTab = (name: string | null) => {
    location.hash = name ?? "";
  };
  return (
    <>
      {keyId === null || forbidden ? (
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
          {keyId === null && (
            <Text c="dimmed" mb="md">
              API keys let other systems read your organisation's ticketing data.
            </Text>
          )}
          <Tabs value={tab} onChange={openTab} keepMounted={false}>
            <Tabs.List aria-label="Developer area">
              {tabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {titles[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="keys" pt="lg">
              {keyId === null ? (
                <KeysPanel onOpen={setDialog} view={view} onView={setView} />
              ) : (
                <KeyPage keyId={keyId} onOpen={setDialog} />
              )}
            </Tabs.Panel>
            <Tabs.Panel value="activity" pt="lg">
              <ActivityPanel />
            </Tabs.Panel>
            <Tabs.Panel value="quick-start" pt="lg">
              <QuickStart />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
      {/* Outside the tabs, so that neither a tab change nor a lost permission removes a secret from the screen. */}
      <KeyDialog dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}
