import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { logger } from "../log/logger.ts";
import { passedMs, visibilityDelayMs } from "../records/changeTime.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import { pauseMs } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { ConditionFailed } from "../table/tableErrors.ts";
import { isWritten, putItem } from "../table/writes.ts";
import { isoOf } from "../values/instant.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { afterFailure, afterSuccess } from "./attemptOutcome.ts";
import { consumerTimeoutMs, longestDelayMs } from "./deliveryLimits.ts";
import type { WebhookMessage } from "./message.ts";
import { type NextMessage, nextMessage } from "./nextMessage.ts";
import type { ReceiverResponse } from "./receiver.ts";
import { type Sender, sendMessage } from "./sendMessage.ts";
import { messageIdOf } from "./signature.ts";
import { isScheduled, readWebhook, type StoredWebhook, withNextRevision } from "./storedWebhook.ts";
import { untilShownMs, type WebhookRef } from "./wakeUp.ts";
import type { WebhookDelivery } from "./webhook.ts";

const deliveriesKeptSeconds = 7 * 24 * 60 * 60;
/** An idle webhook is polled after this time, because a position expires after 30 days. */
const longestIdleMs = 20 * 24 * 60 * 60 * 1_000;
/** Claim duration: the longest run plus clock skew. */
const claimMs = consumerTimeoutMs + 5_000;
/** The clock of the run that scheduled a poll may be ahead by this time. */
const clockSkewMs = 2_000;

interface Dependencies {
  sender: Sender;
  baseUrl: string;
}

interface Delivery {
  /** Milliseconds until the next wake-up; undefined to wait for the next change or the sweep. */
  wakeMs?: number | undefined;
  report?: Report;
}

/** A sent message, for the measurements. */
export interface Report {
  isAccepted: boolean;
  /** The delay that this service caused. */
  lateMs: number;
}

/**
 * Polls a webhook for changes and sends the next message. A claim lets one run at a time send. The position moves only after a 2xx, and only from
 * where it was read, so no change is skipped.
 * @throws if the table, or the key of the secrets, is unavailable. Then the webhook must be polled again.
 */
export async function deliverWebhook(table: Table, ref: WebhookRef, dependencies: Dependencies): Promise<Delivery> {
  const stored = await readWebhook(table, ref.organisation_id, ref.id);
  const nowMs = await passedMs(table);
  const decision = decide(stored, ref, nowMs);
  if (decision.step === "stop") return {};
  if (decision.step !== "poll") return { wakeMs: decision.ms };
  const { webhook, hiddenMs } = decision;
  const { message, position } = await nextMessage(table, webhook, nowMs);
  if (!message || (await isSuspended(table, webhook))) {
    await markIdle(table, webhook, message ? webhook.position : position, nowMs);
    return hiddenMs > 0 ? { wakeMs: hiddenMs } : {};
  }
  const claimed = await claim(table, webhook, nowMs);
  if (!claimed) return { wakeMs: 0 };
  return record(table, claimed, await send(table, claimed, message, dependencies));
}

type Decision =
  /** The next change, the sweep or another run continues. */
  | { step: "stop" }
  /** The change that woke the webhook is not visible yet. */
  | { step: "waitForChange"; ms: number }
  /** The scheduled poll is nearly due. */
  | { step: "waitForPoll"; ms: number }
  /** @property hiddenMs the time until the change that woke the webhook is visible; 0 if it is. */
  | { step: "poll"; webhook: StoredWebhook; hiddenMs: number };

/** Decides what a wake-up leads to. */
export function decide(stored: StoredWebhook | undefined, ref: WebhookRef, nowMs: number): Decision {
  if (stored?.status !== "active") return { step: "stop" };
  const hiddenMs = untilShownMs(ref, nowMs);
  const dueMs = Date.parse(stored.next_poll ?? "") - nowMs;
  // The scheduled poll also sends the change of this wake-up, if that is visible by then.
  const isPollAhead = dueMs > 0 && isScheduled(stored, nowMs);
  // Another run is sending, and will schedule the next poll.
  const isClaimed = isoOf(nowMs) < (stored.claimed_until ?? "");
  if (!isPollAhead && !isClaimed) return { step: "poll", webhook: stored, hiddenMs };
  if (hiddenMs > 0) return { step: "waitForChange", ms: hiddenMs };
  return isPollAhead && dueMs <= clockSkewMs ? { step: "waitForPoll", ms: dueMs } : { step: "stop" };
}

async function isSuspended(table: Table, { organisation_id }: StoredWebhook): Promise<boolean> {
  return (await getItem(table, itemKeys.access(organisation_id)))?.suspended !== undefined;
}

/** Leaves a webhook to its next change. If this poll was due, schedules another before the position expires. */
async function markIdle(table: Table, stored: StoredWebhook, position: string, nowMs: number): Promise<void> {
  const isDue = (stored.next_poll ?? "") <= isoOf(nowMs);
  if (!isDue && position === stored.position) return;
  const next_poll = isDue ? isoOf(nowMs + longestIdleMs) : stored.next_poll;
  await saveIfUnchanged(table, stored, { position, next_poll, failures: 0 });
}

/** @returns the claimed webhook; undefined if it was changed or claimed meanwhile. */
async function claim(table: Table, stored: StoredWebhook, nowMs: number): Promise<StoredWebhook | undefined> {
  const claimed = { ...stored, claim_id: randomUUID(), claimed_until: isoOf(nowMs + claimMs) };
  const { put, condition } = withNextRevision(stored, claimed);
  try {
    await putItem(table, put, condition);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // The response to an earlier try of this write was lost.
    if (error.item?.claim_id !== claimed.claim_id) return undefined;
  }
  return { ...claimed, revision: stored.revision + 1 };
}

interface Sent {
  message: NextMessage;
  id: string;
  sentMs: number;
  endedMs: number;
  response: ReceiverResponse;
}

/** @param claimed as it was claimed. */
async function send(
  table: Table,
  claimed: StoredWebhook,
  message: NextMessage,
  { sender, baseUrl }: Dependencies,
): Promise<Sent> {
  const { type, changes, hasMore: has_more } = message;
  const { organisation_id, position } = claimed;
  const sentMs = await passedMs(table);
  const timestamp = isoOf(sentMs);
  const body: WebhookMessage =
    type === "changes"
      ? { type, timestamp, data: { organisation_id, has_more, changes } }
      : { type, timestamp, data: { organisation_id } };
  const id = messageIdOf(claimed.id, JSON.stringify([type, body.data, type === "restart" ? position : ""]));
  const response = await sendMessage(claimed, { id, body, baseUrl }, sender);
  return { message, id, sentMs, endedMs: await passedMs(table), response };
}

/** Saves the outcome of a message, and keeps the attempt for super-admins. */
async function record(table: Table, claimed: StoredWebhook, sent: Sent): Promise<Delivery> {
  const { message, sentMs, endedMs, response } = sent;
  const { organisation_id, id: webhook_id } = claimed;
  const isAccepted = response.status !== null && response.status >= 200 && response.status < 300;
  const outcome = isAccepted
    ? afterSuccess(claimed, message, sentMs, endedMs)
    : afterFailure(claimed, response, endedMs);
  const isSaved = await saveIfUnchanged(table, claimed, { ...outcome, claimed_until: null });
  // An erasure must find nothing of the organisation afterwards.
  if (isSaved || (await readWebhook(table, organisation_id, webhook_id))) await recordAttempt(table, claimed, sent);
  if (isSaved && outcome.next_poll === null) logger.warn("A webhook was disabled.", { organisation_id, webhook_id });
  const wakeMs = Date.parse(outcome.next_poll ?? "") - endedMs;
  return {
    wakeMs: isSaved && wakeMs <= longestDelayMs ? wakeMs : undefined,
    report: { isAccepted, lateMs: latenessOf(claimed, sent) },
  };
}

/**
 * Saves the outcome of a run, and keeps what else was changed meanwhile.
 * @returns false if the webhook is gone or claimed by another run, or the outcome no longer applies: the position was moved, or a failure is of an
 * earlier URL or status. In these cases it only releases the claim.
 */
async function saveIfUnchanged(table: Table, before: StoredWebhook, outcome: Partial<StoredWebhook>): Promise<boolean> {
  for (let current: StoredWebhook | undefined = before; current?.claim_id === before.claim_id; ) {
    const isOther = current.url !== before.url || current.status !== before.status;
    const applies = current.position === before.position && (outcome.position !== undefined || !isOther);
    // Keep a poll that was scheduled during this run.
    const { next_poll } = current.next_poll === before.next_poll ? { ...current, ...outcome } : current;
    const change = applies ? { ...outcome, next_poll } : { claimed_until: null };
    const { put, condition } = withNextRevision(current, { ...current, ...change });
    if (await isWritten(putItem(table, put, condition))) return applies;
    await wait(pauseMs(1, 50));
    current = await readWebhook(table, before.organisation_id, before.id);
  }
  return false;
}

/** Keeps an attempt without the receiver's response. */
async function recordAttempt(table: Table, claimed: StoredWebhook, sent: Sent): Promise<void> {
  const { organisation_id, id: webhookId, failures, delivered_until } = claimed;
  const { changes } = sent.message;
  const { status, durationMs: duration_ms, error } = sent.response;
  const time = isoOf(sent.sentMs);
  const delivery: WebhookDelivery = {
    id: timeOrderedId(time),
    time,
    message_id: sent.id,
    changes: changes.length,
    attempt: failures + 1,
    ...{ status, duration_ms, error },
    replay: (changes[0]?.changed_at ?? "~") <= (delivered_until ?? ""),
  };
  const expires_at = Math.floor(sent.sentMs / 1_000) + deliveriesKeptSeconds;
  await putItem(table, {
    ...itemKeys.webhookDelivery(organisation_id, webhookId, delivery.id),
    ...delivery,
    expires_at,
  });
}

/** The delay since the first change was visible and the attempt was due, so slow and failing receivers do not count. */
function latenessOf({ next_poll }: StoredWebhook, { message, sentMs }: Sent): number {
  const [first] = message.changes;
  if (!first) return 0;
  const shownMs = sentMs - Date.parse(first.changed_at) - visibilityDelayMs;
  const overdueMs = sentMs - Date.parse(next_poll ?? "");
  return Math.max(0, overdueMs >= 0 ? Math.min(overdueMs, shownMs) : shownMs);
}
