import { longestName } from "../../../../../functions/resources/keyName.ts";

/** The name of a key's successor: "Website", "Website (2)", "Website (3)". */
export function successorName(name: string): string {
  const [, base = name, number = "1"] = /^(.*) \((\d{1,3})\)$/.exec(name) ?? [];
  const suffix = ` (${Number(number) + 1})`;
  return [...base].slice(0, longestName - suffix.length).join("") + suffix;
}
