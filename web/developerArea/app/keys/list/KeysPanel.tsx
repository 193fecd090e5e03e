import { Box, Button, Group, Title } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { useApiKeys } from "../../api/useApiKeys.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import type { OpenDialog, Rotations } from "../KeyDialog.tsx";
import { EmptyKeys } from "./EmptyKeys.tsx";
import { KeyList } from "./KeyList.tsx";
import type { ListView } from "./listView.ts";

interface KeysPanelProps {
  rotations: Rotations;
  view: ListView;
  onView: (view: ListView) => void;
  onOpen: (dialog: OpenDialog) => void;
}

export function KeysPanel({ rotations, view, onView, onOpen }: KeysPanelProps) {
  const { data: keys, error, refetch, isPaused } = useApiKeys();
  const create = () => onOpen({ kind: "create" });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h3">
          API keys
        </Title>
        {keys && keys.length > 0 && <Button onClick={create}>Create key</Button>}
      </Group>
      {error && (
        <Box mb="md">
          <ErrorNotice title={failureTitle(keys)} error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {!keys && !error && <Waiting label="Loading the keys" paused={isPaused} />}
      {keys?.length === 0 && <EmptyKeys onCreate={create} />}
      {keys && keys.length > 0 && (
        <KeyList keys={keys} rotations={rotations} view={view} onView={onView} onOpen={onOpen} />
      )}
    </>
  );
}

function failureTitle(keys: ApiKey[] | undefined): string {
  return keys ? "The list could not be brought up to date" : "The keys could not be loaded";
}
