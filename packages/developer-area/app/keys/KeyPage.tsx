import { Alert, Anchor, Button, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useApiKeys, useFailures, useKeyUsage, useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { FailuresTable } from "../failures/FailuresPanel.tsx";
import { listHref } from "../parts/address.ts";
import { Facts, ItemPage, Section } from "../parts/ItemPage.tsx";
import { ActivityEntry, Detail, Done } from "../parts/Labels.tsx";
import { MoreButton } from "../parts/ListPanel.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { KeyActions, KeyDialog } from "./KeyDialog.tsx";
import { KeyStatus, LastUse, Scopes } from "./KeyLabels.tsx";
import { DaysSection, OperationsSection, UsageSection } from "./KeyUsage.tsx";

export function KeyPage({ keyId }: { keyId: string }) {
  const { open } = useAdmin();
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
            <Button variant="subtle" size="compact-sm" onClick={() => open(<KeyDialog kind="rename" keyId={keyId} />)}>
              Rename
            </Button>
          </>
        )
      }
      actions={apiKey?.status === "active" && <KeyActions apiKey={apiKey} />}
    >
      {apiKey && (
        <>
          <StoppedCalling apiKey={apiKey} />
          <KeyFacts apiKey={apiKey} />
          <UsageSection keyId={keyId} />
          <FailuresSection keyId={keyId} />
          <DaysSection keyId={keyId} />
          <div className="columns">
            <OperationsSection keyId={keyId} />
            <KeyActivity apiKey={apiKey} />
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
        {stopped} Check that the integration is running and has this key.
      </Alert>
    )
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { prefix, scopes, created, created_by, revoked, revoked_by, last_used } = apiKey;
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
    Revoked: revoked !== null && <Done time={revoked} person={revoked_by ?? "unknown"} />,
  };
  return <Facts facts={facts} />;
}

/** Latest first. */
function KeyActivity({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Section id="key-activity" title="Activity">
      <ol className="activity">
        {apiKey.revoked !== null && (
          <ActivityEntry person={apiKey.revoked_by ?? "Unknown"} time={apiKey.revoked}>
            revoked this key
          </ActivityEntry>
        )}
        <ActivityEntry person={apiKey.created_by} time={apiKey.created}>
          created this key
        </ActivityEntry>
      </ol>
    </Section>
  );
}

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
