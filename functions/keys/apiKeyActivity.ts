import type { PersonPrincipal } from "../people/personPrincipal.ts";
import { timeOrderedId } from "../resources/fields.ts";
import { keys } from "../table/keys.ts";
import type { TransactWrite } from "../table/writes.ts";
import type { ApiKey, ApiKeyActivity } from "./apiKey.ts";

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
  return {
    put: { ...keys.apiKeyActivity(organisationId, entry.id), ...entry },
    condition: { condition: "attribute_not_exists(PK)" },
  };
}
