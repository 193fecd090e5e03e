import { Alert, Anchor, Group, Text, Title } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { useApiKeys } from "../../api/useApiKeys.ts";
import { useStoppedCalling } from "../../api/useStoppedCalling.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { focusOnMount } from "../../parts/focusOnMount.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { KeyActions } from "../KeyActions.tsx";
import type { OpenDialog } from "../KeyDialog.tsx";
import { KeyStatus } from "../KeyStatus.tsx";
import { successorOf } from "../rotate/successorOf.ts";
import { FailuresSection } from "./FailuresSection.tsx";
import { KeyActivity } from "./KeyActivity.tsx";
import { KeyFacts } from "./KeyFacts.tsx";
import { OperationsSection } from "./OperationsSection.tsx";
import { UsageSection } from "./UsageSection.tsx";

interface KeyPageProps {
  keyId: string;
  onOpen: (dialog: OpenDialog) => void;
}

/** One key: what it is, whether it is used, and why its requests fail. */
export function KeyPage({ keyId, onOpen }: KeyPageProps) {
  const { data: keys, error, refetch, isPaused } = useApiKeys();
  const apiKey = keys?.find(({ id }) => id === keyId);
  return (
    <div className="key-page">
      <Anchor href="#keys" size="sm">
        <Icon path="M19 12H5M11 6l-6 6 6 6" /> All keys
      </Anchor>
      {error && (
        <ErrorNotice
          title={keys ? "The key could not be refreshed" : "The key could not be loaded"}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!keys && !error && <Waiting label="Loading the key" paused={isPaused} />}
      {keys && !apiKey && <MissingKey />}
      {keys && apiKey && (
        <>
          <KeyHeader key={apiKey.id} apiKey={apiKey} rotating={successorOf(keys, apiKey) !== null} onOpen={onOpen} />
          <KeyFacts apiKey={apiKey} keys={keys} />
          <UsageSection keyId={apiKey.id} />
          <FailuresSection keyId={apiKey.id} />
          <div className="side-by-side">
            <OperationsSection keyId={apiKey.id} />
            <KeyActivity apiKey={apiKey} keys={keys} />
          </div>
        </>
      )}
    </div>
  );
}

function MissingKey() {
  return (
    <div>
      <Title order={2} size="h3" ref={focusOnMount} tabIndex={-1} className="key-heading">
        This key does not exist
      </Title>
      <Text size="sm">The address may be incomplete, or the key may belong to another organisation.</Text>
    </div>
  );
}

interface KeyHeaderProps {
  apiKey: ApiKey;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

function KeyHeader({ apiKey, rotating, onOpen }: KeyHeaderProps) {
  const stopped = useStoppedCalling(apiKey);
  return (
    <>
      <Group justify="space-between">
        <Group gap="sm" miw={0}>
          <Title order={2} size="h3" ref={focusOnMount} tabIndex={-1} className="key-name key-heading">
            {apiKey.name}
          </Title>
          <KeyStatus status={apiKey.status} />
        </Group>
        {apiKey.status === "active" && <KeyActions apiKey={apiKey} rotating={rotating} onOpen={onOpen} />}
      </Group>
      {stopped && (
        <Alert color="yellow" title="Stopped calling">
          {stopped} Check whether the integration still runs and has this key.
        </Alert>
      )}
    </>
  );
}
