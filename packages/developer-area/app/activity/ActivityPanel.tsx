import { Anchor, Box, Button, Group, NativeSelect, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useActivity, useApiKeys, useWebhooks } from "../api/queries.ts";
import type { Activity } from "../api/types.ts";
import { titlesOf } from "../keys/keyRules.ts";
import { keyHref, webhookHref } from "../parts/hooks.ts";
import { ActivityEntry, exactTime } from "../parts/Labels.tsx";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import { type ActivityFilter, activityCsv, download, everything, isActive, matches } from "./activityFilter.ts";

/** Filters and the download need all entries, so all pages are loaded for them. */
export function ActivityPanel() {
  const [filter, setFilter] = useState(everything);
  const [downloading, setDownloading] = useState(false);
  const {
    rows: entries,
    error,
    isPaused,
    isFetching,
    isFetchingNextPage,
    hasNextPage,
    fetchNextPage,
    loadsAll,
    retry,
  } = useActivity(downloading || isActive(filter));
  const people = usePeople(entries?.map(({ actor }) => actor));
  const matching = entries?.filter((entry) => matches(entry, filter));

  useEffect(() => {
    if (!downloading || hasNextPage || isFetching || error || !matching) return;
    setDownloading(false);
    const date = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
    download(`activity-${date}.csv`, "text/csv;charset=utf-8", activityCsv(matching));
  }, [downloading, hasNextPage, isFetching, error, matching]);

  return (
    <>
      <Title order={2} size="h3" mb="md">
        Activity
      </Title>
      {entries && entries.length > 0 && (
        <Group gap="sm" mb="md">
          <ActivityFilters people={people} filter={filter} onChange={setFilter} />
          <Button variant="default" loading={downloading && !error} onClick={() => setDownloading(true)}>
            Download CSV
          </Button>
        </Group>
      )}
      {error && (
        <Box mb="md">
          <ErrorNotice title="The activity could not be loaded" error={error} onRetry={retry} />
        </Box>
      )}
      {!entries && !error && <Waiting label="Loading the activity" paused={isPaused} />}
      {entries?.length === 0 && <Text c="dimmed">Nothing has been done to keys and webhooks yet.</Text>}
      {loadsAll && !error && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          Loading all entries: {entries?.length ?? 0} so far…
        </Text>
      )}
      {entries && matching && entries.length > 0 && (
        <ActivityList
          key={JSON.stringify(filter)}
          entries={matching}
          filtered={isActive(filter)}
          hasNextPage={hasNextPage}
          isFetchingNextPage={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  );
}

interface ActivityFiltersProps {
  people: string[];
  filter: ActivityFilter;
  onChange: (filter: ActivityFilter) => void;
}

const kinds = [
  { value: "", label: "All actions" },
  { value: "created", label: "Created" },
  { value: "renamed", label: "Renamed" },
  { value: "revocation_planned", label: "Revocation planned" },
  { value: "revocation_withdrawn", label: "Plan withdrawn" },
  { value: "revoked", label: "Revoked" },
  { value: "changed", label: "Webhook changed" },
  { value: "replayed", label: "Webhook replayed" },
  { value: "secret_rotated", label: "Secret rotated" },
  { value: "earlier_secret_ended", label: "Earlier secret ended" },
  { value: "deleted", label: "Webhook deleted" },
];

function ActivityFilters({ people, filter, onChange }: ActivityFiltersProps) {
  return (
    <>
      <TextInput
        type="search"
        aria-label="Key or webhook"
        placeholder="Key, prefix or URL"
        autoComplete="off"
        value={filter.subject}
        onChange={(event) => onChange({ ...filter, subject: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Person"
        data={[{ value: "", label: "All people" }, ...people]}
        value={filter.person}
        onChange={(event) => onChange({ ...filter, person: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Action"
        data={kinds}
        value={filter.kind}
        onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label="From"
        leftSection={<Text size="sm">From</Text>}
        leftSectionWidth="4rem"
        value={filter.from}
        max={filter.to || undefined}
        onChange={(event) => onChange({ ...filter, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label="To"
        leftSection={<Text size="sm">to</Text>}
        leftSectionWidth="3rem"
        value={filter.to}
        min={filter.from || undefined}
        onChange={(event) => onChange({ ...filter, to: event.currentTarget.value })}
      />
    </>
  );
}

interface ActivityListProps {
  /** The loaded entries that match the filter. */
  entries: Activity[];
  filtered: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  onMore: () => void;
}

const step = 50;

/** The latest entries, and more on demand. */
function ActivityList({ entries, filtered, hasNextPage, isFetchingNextPage, onMore }: ActivityListProps) {
  const [limit, setLimit] = useState(step);
  const shown = entries.slice(0, limit);
  const hasMore = shown.length < entries.length || hasNextPage;
  const showMore = () => {
    setLimit(limit + step);
    if (limit + step > entries.length && hasNextPage) onMore();
  };
  return (
    <>
      {shown.length > 0 && (
        <ol className="activity">
          {shown.map((entry) => (
            <ActivityEntry key={entry.id} person={entry.actor} time={entry.time}>
              <Deed entry={entry} />
            </ActivityEntry>
          ))}
        </ol>
      )}
      {hasMore && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={showMore}>
          Show more
        </Button>
      )}
      <Text size="sm" c="dimmed" mt="md" role="status">
        {summary()}
      </Text>
    </>
  );

  function summary(): string {
    if (entries.length === 0) return hasNextPage ? "" : "No entry matches.";
    if (hasMore) return `The latest ${shown.length} entries.`;
    if (filtered) return entries.length === 1 ? "1 entry matches." : `${entries.length} entries match.`;
    return `All ${entries.length} entries. Nothing is ever removed from this list.`;
  }
}

/** What was done. An action that this page does not know keeps its technical name. */
function Deed({ entry }: { entry: Activity }) {
  return entry.webhook_id === null ? <KeyDeed entry={entry} /> : <WebhookDeed {...entry} id={entry.webhook_id} />;
}

/** Before the webhook. */
const webhookDeeds: Record<string, string> = {
  replayed: "replayed changes to",
  secret_rotated: "rotated the secret of",
  earlier_secret_ended: "ended the earlier secret of",
};

function WebhookDeed({ action, id, url }: Pick<Activity, "action" | "url"> & { id: string }) {
  return (
    <>
      {webhookDeeds[action] ?? action} the webhook{" "}
      <Anchor href={webhookHref(id)} inherit underline="always" className="breakable">
        {url}
      </Anchor>
    </>
  );
}

function KeyDeed({
  entry: { action, key_id, key_name, key_prefix, former_name, scopes, revokes_at },
}: {
  entry: Activity;
}) {
  const key = (
    <>
      <Anchor href={keyHref(key_id ?? "")} inherit underline="always" className="key-name">
        {key_name}
      </Anchor>{" "}
      <code>{key_prefix}</code>
    </>
  );
  const end = revokes_at !== null && exactTime(revokes_at);
  if (action === "renamed")
    return (
      <>
        renamed <span className="key-name">“{former_name}”</span> to {key}
      </>
    );
  if (action === "revocation_planned")
    return (
      <>
        planned to revoke {key} on {end}
      </>
    );
  if (action === "revocation_withdrawn") return <>withdrew the planned revocation of {key}</>;
  const granted = scopes && titlesOf(scopes);
  return (
    <>
      {action} {key}
      {granted && `: ${granted}`}
      {end && `, until ${end}`}
    </>
  );
}

/** Everyone who created or revoked a key, or created a webhook, also in entries that are not loaded yet. */
function usePeople(loaded: string[] = []): string[] {
  const { data: keys = [] } = useApiKeys();
  const { data: webhooks = [] } = useWebhooks();
  const people = new Set([...loaded, ...webhooks.map(({ created_by }) => created_by)]);
  for (const { created_by, revoked_by } of keys) {
    people.add(created_by);
    if (revoked_by !== null) people.add(revoked_by);
  }
  return [...people].sort();
}
