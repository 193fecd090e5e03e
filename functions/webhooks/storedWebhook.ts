import * as z from "zod";
import { changingTypes } from "../changes/change.ts";
import type { Item } from "../table/attributeValue.ts";
import { keys, listKey, lists } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type Answered, post } from "./receiver.ts";
import { environmentMac, type Mac, signedHeaders, signingSecret } from "./signature.ts";
import { Webhook } from "./webhook.ts";

/** How long the secret before a rotation still signs. */
export const earlierSecretMs = 24 * 60 * 60 * 1_000;

/** A webhook as it is stored. */
export const StoredWebhook = Webhook.extend({
  organisation_id: z.int(),
  /** The cursor in the organisation's changes of these types, after the last delivered one. */
  position: z.string(),
  secret_version: z.int(),
  /** Until when the secret before this version signs, too. */
  earlier_secret_until: z.string().nullable(),
  /** The failed attempts in a row. */
  failures: z.int(),
  /** When the last message was sent. */
  last_sent: z.string().nullable(),
  /** Increased by every write, so that none overwrites another. */
  revision: z.int(),
});
export type StoredWebhook = z.infer<typeof StoredWebhook>;

/** The types that a webhook follows. */
export const typesOf = ({ types }: Pick<Webhook, "types">) => types ?? changingTypes;

/** The webhook's item. The index lists the active ones of all organisations. */
export function itemOf(stored: StoredWebhook): Item {
  const { organisation_id, id, status } = stored;
  const place = listKey(lists.activeWebhooks(), `${organisation_id}#${id}`);
  return { ...keys.webhook(organisation_id, id), ...stored, ...(status === "active" && place) };
}

/** A webhook whose last attempt did not fail. */
export const withoutFailure = { failing_since: null, next_attempt: null, failures: 0 };

/** The write of a changed webhook, on condition that it is as it was read. */
export function revised({ revision }: StoredWebhook, after: StoredWebhook) {
  return {
    put: itemOf({ ...after, revision: revision + 1 }),
    condition: { condition: "revision = :revision", values: { ":revision": revision } },
  };
}

export async function readWebhook(
  table: Table,
  organisationId: number,
  id: string,
): Promise<StoredWebhook | undefined> {
  const item = await getItem(table, keys.webhook(organisationId, id));
  return item && StoredWebhook.parse(item);
}

/** What sending needs besides the table. */
export interface Sender {
  mac: Mac;
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Answered>;
}

const Environment = z.object({ WEBHOOKS_ALLOW_LOOPBACK: z.literal("yes").optional() });

/** Whether this process may send to this machine, which only the local service and tests do. */
export function allowsLoopback(): boolean {
  return Environment.parse(process.env).WEBHOOKS_ALLOW_LOOPBACK === "yes";
}

export const sender: Sender = {
  mac: environmentMac,
  post: (url, headers, body) => post(url, headers, body, { allowsLoopback: allowsLoopback() }),
};

interface Message {
  id: string;
  body: string;
  sent: Date;
}

/** Posts a message, signed with every secret that is valid now. */
export async function sendMessage(stored: StoredWebhook, { id, body, sent }: Message, { mac, post }: Sender) {
  const { organisation_id: organisationId, id: webhookId, secret_version, earlier_secret_until } = stored;
  const isEarlierValid = earlier_secret_until !== null && earlier_secret_until > sent.toISOString();
  const versions = isEarlierValid ? [secret_version, secret_version - 1] : [secret_version];
  const secrets = await Promise.all(
    versions.map((version) => signingSecret(mac, { organisationId, webhookId, version })),
  );
  return post(stored.url, signedHeaders(id, body, secrets, sent), body);
}
