import * as z from "zod";
import type { PersonPrincipal } from "../people/personPrincipal.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import { Scope } from "../resources/scope.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { partitions } from "../table/lists.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import type { TransactWrite } from "../table/writes.ts";
import { ServiceTime } from "../values/instant.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";

const ofKeys = ["created", "revoked", "renamed"] as const;
const ofWebhooks = ["created", "changed", "deleted", "secret_rotated", "earlier_secret_ended", "replayed"] as const;

/** One flat form, because generated clients read it more easily than a union. */
export const Activity = z
  .object({
    id: z.string().meta({ description: "Entry id." }),
    kind: z.enum(["api_key", "webhook"]).meta({ description: "The kind of object that changed." }),
    action: z.enum([...new Set([...ofKeys, ...ofWebhooks])]).meta({ description: "What was done to the object." }),
    time: ServiceTime.meta({ description: "When it happened." }),
    actor: z.string().meta({ description: "Name of the person at the time: the e-mail address, if known." }),
    actor_id: z.string().meta({ description: "The identity provider's id of the person, which never changes." }),
    key_id: z.string().nullable().meta({ description: "Id of the key; null for webhooks." }),
    key_name: z.string().nullable().meta({ description: "Name of the key; null for webhooks." }),
    key_prefix: z.string().nullable().meta({ description: "First 12 characters of the key; null for webhooks." }),
    former_name: z.string().nullable().meta({ description: "The name before `renamed`; otherwise null." }),
    scopes: z
      .array(Scope)
      .nullable()
      .meta({ description: "The scopes granted to a key by `created`; otherwise null." }),
    webhook_id: z.string().nullable().meta({ description: "Id of the webhook; null for keys." }),
    url: z
      .string()
      .nullable()
      .meta({ description: "The webhook's URL after the action, without its query; null for keys." }),
  })
  .meta({
    id: "Activity",
    description: "An entry of the audit trail of API keys and webhooks. Entries never change.",
    examples: [
      {
        id: "0mi7c1q2k9be07d3150fa",
        kind: "api_key",
        action: "created",
        time: "2026-02-03T09:12:45.120Z",
        actor: "ada@riverside.example",
        actor_id: "0c1f6d0e-5c86-4a8e-9a6b-2f3f0f6f1f11",
        key_id: "0mi7c1q2k5f0c2a9d1e4b",
        key_name: "Nightly sync",
        key_prefix: "tsk_4fQ9wLxT",
        former_name: null,
        scopes: ["read", "write:orders"],
        webhook_id: null,
        url: null,
      },
    ],
  });
export type Activity = z.infer<typeof Activity>;

/** A field that an entry lacks is null. */
const StoredActivity = storedForm(Activity);

export type Actor = Pick<PersonPrincipal, "name" | "subject">;

type AboutKey = Record<"key_id" | "key_name" | "key_prefix", string> & { former_name?: string; scopes?: Scope[] };
export type WebhookAction = (typeof ofWebhooks)[number];
export type ActivityEntry =
  | ({ kind: "api_key"; action: (typeof ofKeys)[number] } & AboutKey)
  | { kind: "webhook"; action: WebhookAction; webhook_id: string; url: string };

/** The write of an entry, which belongs in the transaction of the change. */
export function activityWrite(
  organisationId: number,
  activity: ActivityEntry,
  { name, subject }: Actor,
  time: string,
): TransactWrite {
  const entry = { id: timeOrderedId(time), time, actor: name, actor_id: subject, ...activity };
  return {
    put: { ...itemKeys.activity(organisationId, entry.id), ...entry },
    condition: { condition: "attribute_not_exists(PK)" },
  };
}

export function activityRepository(organisationId: number, table: Table) {
  return {
    /** Newest first. */
    list: (page: PageQuery): Promise<Page<Activity>> =>
      listRows(table, StoredActivity, partitions.activity(organisationId), page),
  };
}
