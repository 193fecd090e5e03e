import { Alert, Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useApiKeys, useFailures, useKeyUsage, useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { FailuresTable } from "../failures/FailuresPanel.tsx";
import { listHref } from "../parts/address.ts";
import { focusOnMount } from "../parts/hooks.ts";
import { ActivityEntry, Icon, TimeUntil } from "../parts/Labels.tsx";
import { MoreButton } from "../parts/ListPanel.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { KeyActions, type OpenDialog } from "./KeyDialog.tsx";
import { KeyFacts } from "./KeyFacts.tsx";
import { KeyLink, KeyStatus } from "./KeyLabels.tsx";
import { DaysSection, OperationsSection, UsageSection } from "./KeyUsage.tsx";
import { successorOf } from "./keyRules.ts";

interface KeyPageProps {
  keyId: string;
  onOpen: (dialog: OpenDialog) => void;
}

/** One key: what it is, whether it is used, and why its requests fail. */
export function KeyPage({ keyId, onOpen }: KeyPageProps) {
  const { data: keys, error, isPaused } = useApiKeys();
  const apiKey = keys?.find(({ id }) => id === keyId);
  return (
    <Stack gap="lg">
      <Anchor href={listHref("keys")} size="sm" style={{ alignSelf: "start" }}>
        <Icon path="M19 12H5M11 6l-6 6 6 6" /> All keys
      </Anchor>
      <Outage keyId={keyId} isKnown={apiKey !== undefined} />
      {!keys && !error && <Waiting label="Loading the key" paused={isPaused} />}
      {keys && !apiKey && <MissingKey />}
      {keys && apiKey && (
        <>
          <KeyHeader key={apiKey.id} apiKey={apiKey} rotating={successorOf(keys, apiKey) !== null} onOpen={onOpen} />
          <KeyFacts apiKey={apiKey} keys={keys} />
          <UsageSection keyId={apiKey.id} />
          <FailuresSection keyId={apiKey.id} />
          <DaysSection keyId={apiKey.id} />
          <div className="columns">
            <OperationsSection keyId={apiKey.id} />
            <KeyActivity apiKey={apiKey} keys={keys} />
          </div>
        </>
      )}
    </Stack>
  );
}

/** One notice for everything on the page that could not be loaded: mostly it has one cause. */
function Outage({ keyId, isKnown }: { keyId: string; isKnown: boolean }) {
  const client = useQueryClient();
  const queries = { key: useApiKeys(), usage: useKeyUsage(keyId, isKnown), failures: useFailures(keyId, isKnown) };
  const failed = Object.entries(queries).filter(([, { error }]) => error !== null);
  const [, { error = null } = {}] = failed[0] ?? [];
  if (error === null) return null;
  const names = new Intl.ListFormat("en-GB").format(failed.map(([name]) => name));
  const retry = () => void client.refetchQueries({ predicate: ({ state }) => state.error !== null });
  return <ErrorNotice title={`Could not be loaded: ${names}`} error={error} onRetry={retry} />;
}

function MissingKey() {
  return (
    <div>
      <Title order={1} size="h2" ref={focusOnMount} tabIndex={-1}>
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
          <Title order={1} size="h2" ref={focusOnMount} tabIndex={-1} className="key-name">
            {apiKey.name}
          </Title>
          <KeyStatus status={apiKey.status} />
          <Button variant="subtle" size="compact-sm" onClick={() => onOpen({ kind: "rename", keyId: apiKey.id })}>
            Rename
          </Button>
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

/** Who did what with the key, latest first. */
function KeyActivity({ apiKey, keys }: { apiKey: ApiKey; keys: ApiKey[] }) {
  const successors = keys.filter(({ replaces }) => replaces === apiKey.id);
  return (
    <section aria-labelledby="key-activity">
      <Title order={2} size="h5" id="key-activity">
        Activity
      </Title>
      <ol className="activity">
        {apiKey.revoked !== null && (
          <ActivityEntry person={apiKey.revoked_by ?? "Unknown"} time={apiKey.revoked}>
            revoked this key
          </ActivityEntry>
        )}
        {apiKey.revokes_at !== null && (
          <li>
            <span>
              will be revoked <TimeUntil instant={apiKey.revokes_at} />
            </span>
          </li>
        )}
        {successors.map((successor) => (
          <ActivityEntry key={successor.id} person={successor.created_by} time={successor.created}>
            created its replacement <KeyLink apiKey={successor} inText />
          </ActivityEntry>
        ))}
        <ActivityEntry person={apiKey.created_by} time={apiKey.created}>
          created this key
        </ActivityEntry>
      </ol>
    </section>
  );
}

/** The latest requests that failed, with what an operator needs to find them. */
function FailuresSection({ keyId }: { keyId: string }) {
  const pages = useFailures(keyId);
  const { rows: failures, error, isPaused } = pages;
  return (
    <section aria-labelledby="failures">
      <Title order={2} size="h5" id="failures">
        Latest failed requests
      </Title>
      {!failures && !error && <Waiting label="Loading the failed requests" paused={isPaused} />}
      {failures?.length === 0 && <Text size="sm">No failed requests in the last 7 days.</Text>}
      {failures && failures.length > 0 && <FailuresTable failures={failures} labelledBy="failures" />}
      {pages.hasNextPage && <MoreButton list={pages} />}
      {failures && failures.length > 0 && (
        <Anchor href={`#failures?key=${encodeURIComponent(keyId)}`} size="sm" mt="sm" display="block">
          Filter these failures
        </Anchor>
      )}
    </section>
  );
}
