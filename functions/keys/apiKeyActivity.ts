import type { PersonPrincipal } from "../people/personPrincipal.ts";
import { timeOrderedId } from "../resources/fields.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import { keys, lists } from "../table/keys.ts";
import { listItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import type { TransactWrite } from "../table/writes.ts";
import { decodeCursor, encodeCursor } from "../values/cursor.ts";
import { type ApiKey, ApiKeyActivity } from "./apiKey.ts";

/** Entries of earlier versions of this service lack what later actions need. */
const StoredActivity = storedForm(ApiKeyActivity);

/** The person who changes a key, for the audit trail. */
export type Actor = Pick<PersonPrincipal, "name" | "subject">;

/** The audit entry for a change of a key. */
export function activityOf(
  action: ApiKeyActivity["action"],
  time: string,
  { id, name, prefix }: Pick<ApiKey, "id" | "name" | "prefix">,
  actor: Actor,
  details: Partial<Pick<ApiKeyActivity, "former_name" | "scopes" | "revokes_at">> = {},
): ApiKeyActivity {
  const entry = { id: timeOrderedId(time), action, time, actor: actor.name, actor_id: actor.subject };
  const keyFields = { key_id: id, key_name: name, key_prefix: prefix };
  return { ...entry, ...keyFields, former_name: null, scopes: null, revokes_at: null, ...details };
}

/** The write of an entry. */
export function activityWrite(organisationId: number, entry: ApiKeyActivity): TransactWrite {
  const isOfVersion1 = entry.action === "created" || entry.action === "revoked";
  const keyOf = isOfVersion1 ? keys.apiKeyActivity : keys.apiKeyLaterActivity;
  return {
    put: { ...keyOf(organisationId, entry.id), ...entry },
    condition: { condition: "attribute_not_exists(PK)" },
  };
}

/** One page of the audit trail, newest first: of two lists, whose ids are positions in both. */
export async function activityPage(
  organisationId: number,
  table: Table,
  { per_page, cursor }: PageQuery,
): Promise<Page<ApiKeyActivity>> {
  const list = lists.apiKeyActivity(organisationId);
  const isPosition = (id: string) => list.rowKey(id) !== undefined;
  const after = cursor === undefined ? undefined : decodeCursor({ ...list, isPosition }, cursor);
  const parts = await Promise.all(
    [list, lists.apiKeyLaterActivity(organisationId)].map((one) => listItems(table, one, per_page, { after })),
  );
  const rows = parts
    .flatMap(({ items }) => items.map((item) => StoredActivity.parse(item)))
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const data = rows.slice(0, per_page);
  const has_more = rows.length > per_page || parts.some(({ lastSortKey }) => lastSortKey !== undefined);
  const last = data.at(-1);
  const next_cursor = has_more && last ? encodeCursor(list, last.id) : null;
  return { data, pagination: { per_page, has_more, next_cursor } };
}
