import { Alert, Anchor, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useApiKeys, useFailures, useKeyUsage, useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { FailuresTable } from "../failures/FailuresPanel.tsx";
import { listHref } from "../parts/address.ts";
import { Facts, ItemPage, Section } from "../parts/ItemPage.tsx";
import { ActivityEntry, Detail, Done, TimeUntil } from "../parts/Labels.tsx";
import { MoreButton } from "../parts/ListPanel.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { KeyActions, type OpenDialog } from "./KeyDialog.tsx";
import { KeyLink, KeyStatus, LastUse, Scopes } from "./KeyLabels.tsx";
import { DaysSection, OperationsSection, UsageSection } from "./KeyUsage.tsx";
import { successorOf } from "./keyRules.ts";

interface KeyPageProps {
  keyId: string;
  onOpen: (dialog: OpenDialog) => void;
}

/** One key: what it is, whether it is used, and why its requests fail. */
export function KeyPage({ keyId, onOpen }: KeyPageProps) {
  const { data: keys = [], isSuccess, isPaused } = useApiKeys();
  const apiKey = keys.find(({ id }) => id === keyId);
  const failed = useFailedQueries(keyId, apiKey !== undefined);
  return (
    <ItemPage
      back={{ href: listHref("keys"), label: "All keys" }}
      what="key"
      name={isSuccess || apiKey ? apiKey?.name : null}
      isPaused={isPaused}
      notice={failed}
      missing="The address may be incomplete, or the key may belong to another organisation."
      status={
        apiKey && (
          <>
            <KeyStatus apiKey={apiKey} />
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen({ kind: "rename", keyId })}>
              Rename
            </Button>
          </>
        )
      }
      actions={
        apiKey?.status === "active" && (
          <KeyActions apiKey={apiKey} rotating={successorOf(keys, apiKey) !== null} onOpen={onOpen} />
        )
      }
    >
      {apiKey && (
        <>
          <StoppedCalling apiKey={apiKey} />
          <KeyFacts apiKey={apiKey} keys={keys} onOpen={onOpen} />
          <UsageSection keyId={keyId} />
          <FailuresSection keyId={keyId} />
          <DaysSection keyId={keyId} />
          <div className="columns">
            <OperationsSection keyId={keyId} />
            <KeyActivity apiKey={apiKey} keys={keys} />
          </div>
        </>
      )}
    </ItemPage>
  );
}

/** One notice for everything on the page that could not be loaded, if anything: mostly it has one cause. */
function useFailedQueries(keyId: string, isKnown: boolean) {
  const client = useQueryClient();
  const queries = { key: useApiKeys(), usage: useKeyUsage(keyId, isKnown), failures: useFailures(keyId, isKnown) };
  const failed = Object.entries(queries).filter(([, { error }]) => error !== null);
  const [, { error = null } = {}] = failed[0] ?? [];
  if (error === null) return null;
  const names = new Intl.ListFormat("en-GB").format(failed.map(([name]) => name));
  const retry = () => void client.refetchQueries({ predicate: ({ state }) => state.error !== null });
  return <ErrorNotice title={`Could not be loaded: ${names}`} error={error} onRetry={retry} />;
}

function StoppedCalling({ apiKey }: { apiKey: ApiKey }) {
  const stopped = useStoppedCalling(apiKey);
  return (
    stopped && (
      <Alert color="yellow" title="Stopped calling">
        {stopped} Check whether the integration still runs and has this key.
      </Alert>
    )
  );
}

interface KeyFactsProps extends Pick<KeyPageProps, "onOpen"> {
  apiKey: ApiKey;
  keys: ApiKey[];
}

function KeyFacts({ apiKey, keys, onOpen }: KeyFactsProps) {
  const { id, prefix, scopes, created, created_by, revoked, revoked_by, revokes_at, last_used } = apiKey;
  const predecessor = keys.find(({ id }) => id === apiKey.replaces);
  const successor = keys.find(({ id }) => id === apiKey.replaced_by);
  const facts = {
    "Last used": (
      <>
        <LastUse apiKey={apiKey} />
        {last_used !== null && <Detail instant={last_used} />}
      </>
    ),
    Prefix: <code>{prefix}</code>,
    Scopes: <Scopes names={scopes} />,
    Created: <Done time={created} person={created_by} />,
    Ends: revokes_at !== null && (
      <>
        <TimeUntil instant={revokes_at} />
        <Detail instant={revokes_at} />
        <Group gap={4}>
          <Button variant="default" size="compact-xs" onClick={() => onOpen({ kind: "plan", keyId: id })}>
            Change<VisuallyHidden> when the key ends</VisuallyHidden>
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => onOpen({ kind: "withdraw", keyId: id })}>
            Withdraw<VisuallyHidden> the planned end</VisuallyHidden>
          </Button>
        </Group>
      </>
    ),
    Revoked: revoked !== null && <Done time={revoked} person={revoked_by ?? "unknown"} />,
    Replaces: predecessor && <KeyLink apiKey={predecessor} />,
    "Replaced by": successor && <KeyLink apiKey={successor} />,
  };
  return <Facts facts={facts} />;
}

/** Who did what with the key, latest first. */
function KeyActivity({ apiKey, keys }: { apiKey: ApiKey; keys: ApiKey[] }) {
  const successors = keys.filter(({ replaces }) => replaces === apiKey.id);
  return (
    <Section id="key-activity" title="Activity">
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
    </Section>
  );
}

/** The latest requests that failed, with what an operator needs to find them. */
function FailuresSection({ keyId }: { keyId: string }) {
  const pages = useFailures(keyId);
  const { rows: failures, error, isPaused } = pages;
  return (
    <Section id="failures" title="Latest failed requests">
      {!failures && !error && <Waiting label="Loading the failed requests" paused={isPaused} />}
      {failures?.length === 0 && <Text size="sm">No failed requests in the last 7 days.</Text>}
      {failures && failures.length > 0 && <FailuresTable failures={failures} labelledBy="failures" />}
      {pages.hasNextPage && <MoreButton list={pages} />}
      {failures && failures.length > 0 && (
        <Anchor href={`#failures?key=${encodeURIComponent(keyId)}`} size="sm" mt="sm" display="block">
          Filter these failures
        </Anchor>
      )}
    </Section>
  );
}
