import type { ApiKeyActivity } from "../api/apiKeyActivity.ts";
import { plain } from "../keys/list/listView.ts";

/** Empty texts match everything. */
export interface ActivityFilter {
  key: string;
  person: string;
  kind: string;
}

export const everything: ActivityFilter = { key: "", person: "", kind: "" };

export function isActive({ key, person, kind }: ActivityFilter): boolean {
  return key.trim() !== "" || person !== "" || kind !== "";
}

export function matches(entry: ApiKeyActivity, { key, person, kind }: ActivityFilter): boolean {
  const sought = plain(key);
  return (
    (plain(entry.key_name).includes(sought) || plain(entry.key_prefix).includes(sought)) &&
    (person === "" || entry.actor === person) &&
    (kind === "" || entry.action === kind)
  );
}
