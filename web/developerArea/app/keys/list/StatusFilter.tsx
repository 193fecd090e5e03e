import { SegmentedControl } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import type { StatusFilterValue } from "./listView.ts";

interface StatusFilterProps {
  keys: ApiKey[];
  value: StatusFilterValue;
  onChange: (value: StatusFilterValue) => void;
}

export function StatusFilter({ keys, value, onChange }: StatusFilterProps) {
  const active = keys.filter(({ status }) => status === "active").length;
  const choices: { value: StatusFilterValue; label: string }[] = [
    { value: "active", label: `Active ${active}` },
    { value: "revoked", label: `Revoked ${keys.length - active}` },
    { value: "all", label: `All ${keys.length}` },
  ];
  return <SegmentedControl aria-label="Status" size="sm" value={value} onChange={onChange} data={choices} />;
}
