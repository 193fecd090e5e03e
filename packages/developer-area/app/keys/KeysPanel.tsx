import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { useFilters } from "../parts/address.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Labels.tsx";
import { Latest, ListPanel } from "../parts/ListPanel.tsx";
import { EmptyList } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { CreateKey } from "./CreateKey.tsx";
import { KeysTable } from "./KeysTable.tsx";
import { initialFilters, type KeyFilters, matches, sortKeys } from "./keyList.ts";
import { scopes } from "./keyRules.ts";

export function KeysPanel() {
  const { open } = useAdmin();
  const { data: keys, error, refetch } = useApiKeys();
  const { filters, change, field } = useFilters("keys", initialFilters);
  const create = () =>
    open(
      <Dialog title="Create an API key">
        <CreateKey />
      </Dialog>,
    );
  return (
    <ListPanel
      title="API keys"
      list={{ rows: keys, error, retry: refetch }}
      what="the keys"
      failure={keys ? "The list could not be refreshed" : "The keys could not be loaded"}
      action={<Button onClick={create}>Create key</Button>}
      filters={
        <>
          <SegmentedControl
            aria-label="Status"
            data={statusesOf(keys ?? [])}
            value={filters.status}
            onChange={(status) => change({ status })}
          />
          <TextInput
            type="search"
            aria-label="Search keys"
            placeholder="Name or prefix"
            autoComplete="off"
            {...field("search")}
          />
          <NativeSelect
            aria-label="Scope"
            data={[
              { value: "", label: "All scopes" },
              ...scopes.map(({ scope, title }) => ({ value: scope, label: title })),
            ]}
            {...field("scope")}
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

function MatchingKeys({ keys, filters, onChange }: MatchingKeysProps) {
  const matching = sortKeys(
    keys.filter((key) => matches(key, filters)),
    filters.sort,
  );
  if (matching.length === 0) {
    const isNarrowed = filters.scope !== "" || filters.status !== "all";
    const widen = () => onChange(isNarrowed ? { scope: "", status: "all" } : { search: "" });
    const action = isNarrowed ? "Search all keys" : "Clear the search";
    return <EmptyList title="No key matches" action={action} onAction={widen} isFiltered />;
  }
  return (
    <Latest matching={matching} what="keys" summary={(count) => (count === 1 ? "1 key" : `${count} keys`)}>
      {(shown) => <KeysTable keys={keys} shown={shown} sort={filters.sort} onSort={(sort) => onChange({ sort })} />}
    </Latest>
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
