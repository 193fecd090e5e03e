import { Button, Group, Stack, Title } from "@mantine/core";
import { useApiKeys } from "../../api/useApiKeys.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import type { OpenDialog } from "../KeyDialog.tsx";
import { EmptyKeys } from "./EmptyKeys.tsx";
import { KeyList } from "./KeyList.tsx";
import type { ListView } from "./listView.ts";

interface KeysPanelProps {
  view: ListView;
  onView: (view: ListView) => void;
  onOpen: (dialog: OpenDialog) => void;
}

export function KeysPanel({ view, onView, onOpen }: KeysPanelProps) {
  const { data: keys, error, refetch, isPaused } = useApiKeys();
  const create = () => onOpen({ kind: "create" });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          API keys
        </Title>
        {keys && keys.length > 0 && <Button onClick={create}>Create key</Button>}
      </Group>
      {error && (
        <ErrorNotice
          title={keys ? "The list could not be refreshed" : "The keys could not be loaded"}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!keys && !error && <Waiting label="Loading the keys" paused={isPaused} />}
      {keys?.length === 0 && <EmptyKeys onCreate={create} />}
      {keys && keys.length > 0 && <KeyList keys={keys} view={view} onView={onView} onOpen={onOpen} />}
    </Stack>
  );
}
