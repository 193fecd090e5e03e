import { Group, NativeSelect, TextInput } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { scopes } from "../scopes.ts";
import type { ListView } from "./listView.ts";
import { StatusFilter } from "./StatusFilter.tsx";

interface ListFiltersProps {
  keys: ApiKey[];
  view: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function ListFilters({ keys, view: { search, scope, status }, onChange }: ListFiltersProps) {
  return (
    <Group gap="sm" mb="sm">
      <StatusFilter keys={keys} value={status} onChange={(status) => onChange({ status })} />
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
