import { longestName } from "./longestName.ts";

/** A name for the key that replaces another: "Website" is followed by "Website (2)", and that by "Website (3)". */
export function successorName(name: string): string {
  const [, base = name, number = "1"] = /^(.*) \((\d{1,3})\)$/.exec(name) ?? [];
  const suffix = ` (${Number(number) + 1})`;
  return [...base].slice(0, longestName - suffix.length).join("") + suffix;
}
