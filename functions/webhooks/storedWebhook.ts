import * as z from "zod";
import { changingTypes } from "../changes/change.ts";
import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import { keys } from "../table/keys.ts";
import { dueWebhookKey } from "../table/lists.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { putItem } from "../table/writes.ts";
import { wakeDelaySeconds } from "./deliveryLimits.ts";
import { type Answered, post } from "./receiver.ts";
import { environmentMac, type Mac, signedHeaders, signingSecret } from "./signature.ts";
import { Webhook } from "./webhook.ts";

/** The package's, which a test compares. */
export const productVersion = "1.3.0";

/** How long the secret before a rotation still signs. */
export const earlierSecretMs = 24 * 60 * 60 * 1_000;

/** How long a run has a webhook for itself: longer than an attempt takes by two clocks that differ. */
export const claimMs = 20_000;

const dayMs = 24 * 60 * 60 * 1_000;
/** An idle webhook is looked at after this time, because a position expires after 30 days. */
const longestIdleMs = 20 * dayMs;

/** A webhook as it is stored. All times are the table's. */
export const StoredWebhook = Webhook.extend({
  organisation_id: z.int(),
  /** The cursor in the organisation's changes of these types, after the last delivered one. */
  position: z.string(),
  secret_version: z.int(),
  /** The failed attempts in a row. */
  failures: z.int(),
  /** The time of the position before a replay: changes up to it are sent again. */
  replay_until: z.string().optional(),
  /** When the last message was sent. */
  last_sent: z.string().nullable(),
  /** Until when one run may send, and looks again afterwards, so that all others leave the webhook to it. */
  claimed_until: z.string().nullable(),
  /** When the sweep looks at it, even if no attempt is due. */
  look_at: z.string(),
  /** Increased by every write, so that none overwrites another. */
  revision: z.int(),
});
export type StoredWebhook = z.infer<typeof StoredWebhook>;

/** The types that a webhook follows. */
export const typesOf = ({ types }: Pick<Webhook, "types">) => types ?? changingTypes;

/** The webhook's item. While it is active, an index has the time by which it must be looked at. */
export function itemOf(stored: StoredWebhook): Item {
  const { organisation_id, id, status, next_attempt, look_at } = stored;
  const place = dueWebhookKey(organisation_id, id, next_attempt ?? look_at);
  return { ...keys.webhook(organisation_id, id), ...stored, ...(status === "active" && place) };
}

/** A webhook whose retries begin anew. */
export const withoutRetries = { next_attempt: null, failures: 0 };
/** A webhook whose last attempt did not fail. */
export const withoutFailure = { failing_since: null, ...withoutRetries };

/**
 * What makes the sweep look at a webhook: no change after this write wakes it later than the look, and changes before it are shown by then.
 * @param nowMs by the table's clock.
 */
export function dueSoon(nowMs: number): Pick<StoredWebhook, "next_attempt" | "look_at"> {
  const next_attempt = new Date(nowMs + wakeDelaySeconds * 1_000).toISOString();
  return { next_attempt, look_at: lookAt(nowMs) };
}

/** When a webhook is looked at next, planned anew while that is still far away. @param nowMs by the table's clock. */
export function nextLook({ look_at }: StoredWebhook, nowMs: number): string {
  return Date.parse(look_at) > nowMs + longestIdleMs / 2 ? look_at : lookAt(nowMs);
}

/** When an idle webhook is looked at next. @param nowMs by the table's clock. */
export function lookAt(nowMs: number): string {
  return new Date(nowMs + longestIdleMs).toISOString();
}

/** By how much two clocks differ at most (functions/table/clock.ts). */
const clockDifferenceMs = 5_000;
/** The longest time between two attempts, by which a planned one is ahead at most. */
export const longestRetryMs = 12 * 60 * 60 * 1_000;

/**
 * A webhook without times that cannot be: a wrong clock has stored them.
 * @param nowMs by the table's clock.
 */
export function repaired(stored: StoredWebhook, nowMs: number): StoredWebhook {
  const now = new Date(nowMs).toISOString();
  const isAhead = (time: string | null, byMs: number) => time !== null && !(Date.parse(time) <= nowMs + byMs);
  const { next_attempt, failing_since, last_sent, claimed_until, look_at } = stored;
  const isAttemptAhead = isAhead(last_sent, clockDifferenceMs);
  const isWrong =
    isAhead(next_attempt, longestRetryMs + clockDifferenceMs) || (isAttemptAhead && next_attempt !== null);
  return {
    ...stored,
    ...(isAttemptAhead && { last_sent: null }),
    ...(isWrong && { next_attempt: now }),
    ...(isAhead(failing_since, clockDifferenceMs) && { failing_since: now }),
    ...(isAhead(claimed_until, claimMs + clockDifferenceMs) && { claimed_until: null }),
    ...(isAhead(look_at, longestIdleMs + clockDifferenceMs) && { look_at: now }),
  };
}

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

/** Makes the sweep look at an active webhook that no attempt is planned for. Does nothing for any other. */
export async function markDue(table: Table, organisationId: number, id: string): Promise<void> {
  for (;;) {
    const stored = await readWebhook(table, organisationId, id);
    if (stored?.status !== "active" || stored.next_attempt !== null) return;
    try {
      const { put, condition } = revised(stored, { ...stored, ...dueSoon(table.clock.nowMs()) });
      await putItem(table, put, condition);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
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
  /** The service's public address, with the documentation of messages. */
  baseUrl: string;
}

/** Posts a message, signed with every secret that is valid now. */
export async function sendMessage(stored: StoredWebhook, { id, body, sent, baseUrl }: Message, { mac, post }: Sender) {
  const { organisation_id: organisationId, id: webhookId, secret_version, earlier_secret_until } = stored;
  const isEarlierValid = earlier_secret_until !== null && earlier_secret_until > sent.toISOString();
  const versions = isEarlierValid ? [secret_version, secret_version - 1] : [secret_version];
  const secrets = await Promise.all(
    versions.map((version) => signingSecret(mac, { organisationId, webhookId, version })),
  );
  // Firewalls refuse requests without these.
  const common = { accept: "*/*", "user-agent": `Ticketing-Webhooks/${productVersion} (+${baseUrl}/docs/webhooks.md)` };
  return post(stored.url, { ...common, ...signedHeaders(id, body, secrets, sent) }, body);
}
