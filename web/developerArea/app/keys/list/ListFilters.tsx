import { Group, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { scopes } from "../scopes.ts";
import type { ListView, StatusFilterValue } from "./listView.ts";

interface ListFiltersProps {
  keys: ApiKey[];
  view: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function ListFilters({ keys, view: { search, scope, status }, onChange }: ListFiltersProps) {
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
        data={[{ value: "", label: "All scopes" }, ...scopes.map((one) => one.scope)]}
        value={scope}
        onChange={(event) => onChange({ scope: event.currentTarget.value })}
      />
    </Group>
  );
}
