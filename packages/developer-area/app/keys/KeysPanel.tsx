import { Button, Group, NativeSelect, Paper, SegmentedControl, Stack, Text, TextInput, Title } from "@mantine/core";
import { useRef } from "react";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { ErrorNotice, Waiting } from "../parts/Notices.tsx";
import type { OpenDialog } from "./KeyDialog.tsx";
import { KeysTable } from "./KeysTable.tsx";
import { scopes } from "./keyRules.ts";
import { type ListView, matches, rowsPerPage, type StatusFilterValue, sortKeys, withoutFilter } from "./listView.ts";

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

function EmptyKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <Paper withBorder radius="md" className="empty-keys">
      <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
        <circle cx="16" cy="24" r="9" />
        <path d="M25 24h19M38 24v7M31 24v5" />
      </svg>
      <Text fw={600}>There are no API keys yet</Text>
      <Text c="dimmed" size="sm">
        A website, an accounting system or a newsletter needs a key to read your ticketing data. Give each of them its
        own.
      </Text>
      <Button onClick={onCreate}>Create the first key</Button>
    </Paper>
  );
}

interface KeyListProps {
  keys: ApiKey[];
  view: ListView;
  onView: (view: ListView) => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** The keys that match the filters, page by page. Only the rows of one page are rendered. */
function KeyList({ keys, view, onView, onOpen }: KeyListProps) {
  const top = useRef<HTMLDivElement>(null);
  const matching = sortKeys(
    keys.filter((key) => matches(key, view)),
    view.sorting,
  );
  // A key may leave the list while its last page is open.
  const page = Math.max(0, Math.min(view.page, Math.ceil(matching.length / rowsPerPage) - 1));
  const turnTo = (page: number) => {
    onView({ ...view, page });
    top.current?.scrollIntoView();
  };
  return (
    <div ref={top}>
      <ListFilters keys={keys} view={view} onChange={(change) => onView({ ...view, page: 0, ...change })} />
      {matching.length === 0 ? (
        <Paper withBorder radius="md" className="empty-keys">
          <Text role="status" fw={600}>
            No key matches
          </Text>
          <Button variant="default" onClick={() => onView({ ...view, ...withoutFilter })}>
            Clear the filters
          </Button>
        </Paper>
      ) : (
        <>
          <KeysTable
            keys={keys}
            shown={matching.slice(page * rowsPerPage, (page + 1) * rowsPerPage)}
            sorting={view.sorting}
            onSort={(sorting) => onView({ ...view, page: 0, sorting })}
            onOpen={onOpen}
          />
          <Pager page={page} count={matching.length} onChange={turnTo} />
        </>
      )}
    </div>
  );
}

interface ListFiltersProps {
  keys: ApiKey[];
  view: ListView;
  onChange: (change: Partial<ListView>) => void;
}

function ListFilters({ keys, view: { search, scope, status }, onChange }: ListFiltersProps) {
  const active = keys.filter((key) => key.status === "active").length;
  const statuses: { value: StatusFilterValue; label: string }[] = [
    { value: "active", label: `Active ${active}` },
    { value: "revoked", label: `Revoked ${keys.length - active}` },
    { value: "all", label: `All ${keys.length}` },
  ];
  return (
    <Group gap="sm" mb="sm">
      <SegmentedControl
        aria-label="Status"
        size="sm"
        data={statuses}
        value={status}
        onChange={(status) => onChange({ status })}
      />
      <TextInput
        type="search"
        aria-label="Search keys"
        placeholder="Name or prefix"
        autoComplete="off"
        value={search}
        onChange={(event) => onChange({ search: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Scope"
        data={[
          { value: "", label: "All scopes" },
          ...scopes.map(({ scope, title }) => ({ value: scope, label: title })),
        ]}
        value={scope}
        onChange={(event) => onChange({ scope: event.currentTarget.value })}
      />
    </Group>
  );
}

interface PagerProps {
  /** From 0. */
  page: number;
  count: number;
  onChange: (page: number) => void;
}

/** Which of the matching keys are shown, with buttons for the others. */
function Pager({ page, count, onChange }: PagerProps) {
  const first = page * rowsPerPage;
  const end = Math.min(first + rowsPerPage, count);
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {count <= rowsPerPage ? `${count} ${count === 1 ? "key" : "keys"}` : `${first + 1}–${end} of ${count} keys`}
      </Text>
      {count > rowsPerPage && (
        <Group gap="xs" role="group" aria-label="Pages">
          <Button variant="default" size="xs" disabled={page === 0} onClick={() => onChange(page - 1)}>
            Previous
          </Button>
          <Button variant="default" size="xs" disabled={end === count} onClick={() => onChange(page + 1)}>
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
}
