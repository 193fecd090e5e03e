import { Button, Group, NativeSelect, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useRef } from "react";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { useFilters } from "../parts/address.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Labels.tsx";
import { ListPanel } from "../parts/ListPanel.tsx";
import { EmptyList } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { CreateKey } from "./CreateKey.tsx";
import { KeysTable } from "./KeysTable.tsx";
import { initialFilters, type KeyFilters, matches, rowsPerPage, sortKeys } from "./keyList.ts";
import { scopes } from "./keyRules.ts";

export function KeysPanel() {
  const { open } = useAdmin();
  const { data: keys, error, refetch } = useApiKeys();
  const { filters, change } = useFilters("keys", initialFilters);
  const create = () =>
    open(
      <Dialog title="Create an API key">
        <CreateKey />
      </Dialog>,
    );
  const refilter = (changes: Partial<typeof filters>) => change({ page: "1", ...changes });
  return (
    <ListPanel
      title="API keys"
      list={{ rows: keys, error, retry: refetch }}
      what="the keys"
      failure={keys && "The list could not be refreshed"}
      action={<Button onClick={create}>Create key</Button>}
      filters={
        <>
          <SegmentedControl
            aria-label="Status"
            data={statusesOf(keys ?? [])}
            value={filters.status}
            onChange={(status) => refilter({ status })}
          />
          <TextInput
            type="search"
            aria-label="Search keys"
            placeholder="Name or prefix"
            autoComplete="off"
            value={filters.search}
            onChange={(event) => refilter({ search: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label="Scope"
            data={[
              { value: "", label: "All scopes" },
              ...scopes.map(({ scope, title }) => ({ value: scope, label: title })),
            ]}
            value={filters.scope}
            onChange={(event) => refilter({ scope: event.currentTarget.value })}
          />
        </>
      }
      empty={
        <EmptyList
          title="There are no API keys yet"
          text="A website, an accounting system or a newsletter needs a key to use your ticketing data. Give each of them its own."
          icon={<Icon path="M7 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM13 12h10M21 12v4M17 12v3" size="56" />}
          action="Create the first key"
          onAction={create}
        />
      }
    >
      {(rows) => <MatchingKeys keys={rows} filters={filters} onChange={change} />}
    </ListPanel>
  );
}

interface MatchingKeysProps {
  keys: ApiKey[];
  filters: KeyFilters;
  onChange: (changes: Partial<KeyFilters>) => void;
}

/** The keys that match the filters, page by page. Only the rows of one page are rendered. */
function MatchingKeys({ keys, filters, onChange }: MatchingKeysProps) {
  const table = useRef<HTMLDivElement>(null);
  const matching = sortKeys(
    keys.filter((key) => matches(key, filters)),
    filters.sort,
  );
  if (matching.length === 0) {
    const isNarrowed = filters.scope !== "" || filters.status !== "all";
    const widen = () => onChange({ scope: "", status: "all", page: "1", ...(!isNarrowed && { search: "" }) });
    const action = isNarrowed ? "Search all keys" : "Clear the search";
    return <EmptyList title="No key matches" action={action} onAction={widen} isFiltered />;
  }
  // A key may leave the list while its last page is open.
  const page = Math.max(1, Math.min(Number(filters.page) || 1, Math.ceil(matching.length / rowsPerPage)));
  const turnTo = (wanted: number) => {
    onChange({ page: String(wanted) });
    table.current?.scrollIntoView();
  };
  return (
    <div ref={table}>
      <KeysTable
        keys={keys}
        shown={matching.slice((page - 1) * rowsPerPage, page * rowsPerPage)}
        sort={filters.sort}
        onSort={(sort) => onChange({ page: "1", sort })}
      />
      <Pager page={page} count={matching.length} onChange={turnTo} />
    </div>
  );
}

function statusesOf(keys: ApiKey[]) {
  const active = keys.filter((key) => key.status === "active").length;
  return [
    { value: "active", label: `Active ${active}` },
    { value: "revoked", label: `Revoked ${keys.length - active}` },
    { value: "all", label: `All ${keys.length}` },
  ];
}

interface PagerProps {
  page: number;
  count: number;
  onChange: (page: number) => void;
}

function Pager({ page, count, onChange }: PagerProps) {
  const first = (page - 1) * rowsPerPage;
  const end = Math.min(first + rowsPerPage, count);
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {count <= rowsPerPage ? `${count} ${count === 1 ? "key" : "keys"}` : `${first + 1}–${end} of ${count} keys`}
      </Text>
      {count > rowsPerPage && (
        <Group gap="xs" role="group" aria-label="Pages">
          <Button variant="default" size="xs" disabled={page === 1} onClick={() => onChange(page - 1)}>
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
