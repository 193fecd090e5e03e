import { Anchor, Button, NativeSelect, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useActivity, useApiKeys, useWebhooks } from "../api/queries.ts";
import type { Activity } from "../api/types.ts";
import { titlesOf } from "../keys/keyRules.ts";
import { keyHref, useFilters, webhookHref } from "../parts/address.ts";
import { Section } from "../parts/ItemPage.tsx";
import { PersonName, RelativeTime } from "../parts/Labels.tsx";
import { Latest, ListPanel, Rows } from "../parts/ListPanel.tsx";
import { localTime } from "../parts/relativeTime.ts";
import { activityCsv, everything, isActive, matches } from "./activityFilter.ts";

const noActivity = <Text c="dimmed">No activity yet.</Text>;

/** Filters and the download need all entries, so all pages are loaded for them. */
export function ActivityPanel() {
  const { filters, field } = useFilters("activity", everything);
  const [downloading, setDownloading] = useState(false);
  const list = useActivity(downloading || isActive(filters));
  const { rows: loaded = [], error, isFetching, hasNextPage } = list;
  const people = usePeople(loaded.map(({ actor }) => actor));
  const matching = loaded.filter((entry) => matches(entry, filters));

  useEffect(() => {
    if (!downloading || hasNextPage || isFetching || error) return;
    setDownloading(false);
    const date = localTime(new Date().toISOString()).slice(0, "YYYY-MM-DD".length);
    download(`activity-${date}.csv`, "text/csv;charset=utf-8", activityCsv(matching));
  }, [downloading, hasNextPage, isFetching, error, matching]);

  const summary = (count: number) => {
    if (count === 0) return "No entry matches.";
    if (isActive(filters)) return count === 1 ? "1 entry matches." : `${count} entries match.`;
    return `${count === 1 ? "1 entry" : `All ${count} entries`}. Entries are kept until the organisation's data is erased.`;
  };
  const date = (label: string) => ({
    type: "date",
    "aria-label": label,
    leftSection: <Text size="sm">{label}</Text>,
    leftSectionWidth: "4rem",
  });
  return (
    <ListPanel
      title="Activity"
      list={list}
      what="the activity"
      failure="The activity could not be loaded"
      filters={
        <>
          <TextInput
            type="search"
            aria-label="Key or webhook"
            placeholder="Key, prefix or URL"
            autoComplete="off"
            {...field("subject")}
          />
          <NativeSelect aria-label="Kind" data={kinds} {...field("kind")} />
          <NativeSelect
            aria-label="Person"
            data={[{ value: "", label: "All people" }, ...people]}
            {...field("person")}
          />
          <NativeSelect aria-label="Action" data={actions} {...field("action")} />
          <TextInput {...date("From")} max={filters.to || undefined} {...field("from")} />
          <TextInput {...date("To")} min={filters.from || undefined} {...field("to")} />
          <Button
            variant="default"
            disabled={matching.length === 0}
            loading={downloading && !error}
            onClick={() => setDownloading(true)}
          >
            Download CSV
          </Button>
        </>
      }
      empty={noActivity}
    >
      {() => (
        <Latest key={JSON.stringify(filters)} list={list} matching={matching} what="entries" summary={summary}>
          {(shown) => <ActivityList entries={shown} />}
        </Latest>
      )}
    </ListPanel>
  );
}

/** Filters the list of all activity. */
export function WebhookActivity({ webhookId }: { webhookId: string }) {
  const list = useActivity(true);
  const summary = (count: number) => (count === 1 ? "1 entry." : `${count || "No"} entries.`);
  return (
    <Section id="webhook-activity" title="Activity">
      <Rows list={list} what="the activity" failure="The activity could not be loaded" empty={noActivity}>
        {(rows) => (
          <Latest
            list={list}
            matching={rows.filter(({ webhook_id }) => webhook_id === webhookId)}
            what="entries"
            summary={summary}
          >
            {(shown) => <ActivityList entries={shown} />}
          </Latest>
        )}
      </Rows>
    </Section>
  );
}

function ActivityList({ entries }: { entries: Activity[] }) {
  return (
    <ol className="activity">
      {entries.map((entry) => (
        <li key={entry.id}>
          <span>
            <b>
              <PersonName name={entry.actor} />
            </b>{" "}
            <ActionText entry={entry} />
          </span>
          <Text size="sm" c="dimmed" component="span">
            <RelativeTime instant={entry.time} />
          </Text>
        </li>
      ))}
    </ol>
  );
}

const kinds = [
  { value: "", label: "Keys and webhooks" },
  { value: "api_key", label: "Keys" },
  { value: "webhook", label: "Webhooks" },
];

const actions = [
  { value: "", label: "All actions" },
  { value: "created", label: "Created" },
  { value: "renamed", label: "Renamed" },
  { value: "revoked", label: "Revoked" },
  { value: "changed", label: "Webhook changed" },
  { value: "replayed", label: "Webhook replayed" },
  { value: "secret_rotated", label: "Secret rotated" },
  { value: "earlier_secret_ended", label: "Earlier secret ended" },
  { value: "deleted", label: "Webhook deleted" },
];

const webhookActions: Record<string, string> = {
  replayed: "replayed changes to",
  secret_rotated: "rotated the secret of",
  earlier_secret_ended: "ended the earlier secret of",
};

/** The action in words. An unknown action keeps its technical name. */
function ActionText({ entry }: { entry: Activity }) {
  const { action, webhook_id, url, key_id, key_name, key_prefix, former_name, scopes } = entry;
  if (webhook_id !== null) {
    return (
      <>
        {webhookActions[action] ?? action} the webhook{" "}
        <Anchor href={webhookHref(webhook_id)} inherit underline="always" className="breakable">
          {url}
        </Anchor>
      </>
    );
  }
  const key = (
    <>
      <Anchor href={keyHref(key_id ?? "")} inherit underline="always" className="key-name">
        {key_name}
      </Anchor>{" "}
      <code>{key_prefix}</code>
    </>
  );
  if (action === "renamed") {
    return (
      <>
        renamed <span className="key-name">“{former_name}”</span> to {key}
      </>
    );
  }
  return (
    <>
      {action} {key}
      {scopes && `: ${titlesOf(scopes)}`}
    </>
  );
}

/** Everyone who created or revoked a key, or created a webhook, including entries that are not loaded yet. */
function usePeople(loaded: string[]): string[] {
  const { data: keys = [] } = useApiKeys();
  const { data: webhooks = [] } = useWebhooks();
  const known = keys.flatMap(({ created_by, revoked_by }) => [created_by, revoked_by ?? created_by]);
  return [...new Set([...loaded, ...webhooks.map(({ created_by }) => created_by), ...known])].sort();
}

/** Browsers read the file some time after the click. */
const readMs = 60_000;

function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), readMs);
}
