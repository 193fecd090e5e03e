import { NativeSelect, TextInput } from "@mantine/core";
import type { ActivityFilter } from "./activityFilter.ts";

interface ActivityFiltersProps {
  people: string[];
  filter: ActivityFilter;
  onChange: (filter: ActivityFilter) => void;
}

const kinds = [
  { value: "", label: "All actions" },
  { value: "created", label: "Created" },
  { value: "revoked", label: "Revoked" },
];

export function ActivityFilters({ people, filter, onChange }: ActivityFiltersProps) {
  return (
    <>
      <TextInput
        type="search"
        aria-label="Key"
        placeholder="Key name or prefix"
        autoComplete="off"
        value={filter.key}
        onChange={(event) => onChange({ ...filter, key: event.currentTarget.value })}
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
    </>
  );
}
