import { Alert, Anchor, Button, Text } from "@mantine/core";
import { useApiKeys, useFailures, useStoppedCalling } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { FailuresTable } from "../failures/FailuresPanel.tsx";
import { listHref } from "../parts/address.ts";
import { Facts, ItemPage, Section } from "../parts/ItemPage.tsx";
import { Detail, Done } from "../parts/Labels.tsx";
import { MoreButton, Rows } from "../parts/ListPanel.tsx";
import { useAdmin } from "../session/admin.ts";
import { KeyActions, KeyDialog } from "./KeyDialog.tsx";
import { KeyStatus, LastUse, Scopes } from "./KeyLabels.tsx";
import { DaysSection, OperationsSection, UsageSection } from "./KeyUsage.tsx";

export function KeyPage({ keyId }: { keyId: string }) {
  const { open } = useAdmin();
  const query = useApiKeys();
  const apiKey = query.data?.find(({ id }) => id === keyId);
  return (
    <ItemPage
      back={{ href: listHref("keys"), label: "All keys" }}
      what="key"
      name={query.data ? apiKey?.name : null}
      query={query}
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
          <OperationsSection keyId={keyId} />
        </>
      )}
    </ItemPage>
  );
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

function FailuresSection({ keyId }: { keyId: string }) {
  const pages = useFailures(keyId);
  return (
    <Section id="failures" title="Latest failed requests">
      <Rows
        list={pages}
        what="the failed requests"
        failure="The failed requests could not be loaded"
        empty={<Text size="sm">No failed requests in the last 7 days.</Text>}
      >
        {(failures) => (
          <>
            <FailuresTable failures={failures} labelledBy="failures" />
            {pages.hasNextPage && (
              <MoreButton isLoading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()} />
            )}
            <Anchor href={`#failures?key=${encodeURIComponent(keyId)}`} size="sm" mt="sm" display="block">
              Filter these failures
            </Anchor>
          </>
        )}
      </Rows>
    </Section>
  );
}
