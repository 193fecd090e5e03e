import { SegmentedControl } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";

export type StatusFilterValue = "all" | ApiKey["status"];

interface StatusFilterProps {
  keys: ApiKey[];
  value: StatusFilterValue;
  onChange: (value: StatusFilterValue) => void;
}

export function StatusFilter({ keys, value, onChange }: StatusFilterProps) {
  const active = keys.filter(({ status }) => status === "active").length;
  const choices: { value: StatusFilterValue; label: string }[] = [
    { value: "all", label: `All ${keys.length}` },
    { value: "active", label: `Active ${active}` },
    { value: "revoked", label: `Revoked ${keys.length - active}` },
  ];
  return <SegmentedControl aria-label="Show" size="sm" mb="sm" value={value} onChange={onChange} data={choices} />;
}
