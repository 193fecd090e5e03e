import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Change } from "../changes/change.ts";
import { acceptedUntil, changePositions, changeRepository, passedMs } from "../changes/changeRepository.ts";
import { logger } from "../log/logger.ts";
import { Problem } from "../problem.ts";
import { visibilityDelayMs } from "../records/changeTime.ts";
import { ConditionFailed } from "../table/errors.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import { pauseMs } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { isWritten, putItem } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { afterFailure, afterSuccess } from "./attemptOutcome.ts";
import { consumerTimeoutMs, longestDelayMs } from "./deliveryLimits.ts";
import type { WebhookChange, WebhookMessage } from "./message.ts";
import type { ReceiverResponse } from "./receiver.ts";
import { type Sender, sendMessage } from "./sendMessage.ts";
import { messageIdOf } from "./signature.ts";
import { isScheduled, readWebhook, type StoredWebhook, typesOf, withNextRevision } from "./storedWebhook.ts";
import { untilShownMs, type WebhookRef } from "./wakeUp.ts";
import type { WebhookDelivery } from "./webhook.ts";

/** The changes of one message. */
export const maximumChanges = 100;
const deliveriesKeptSeconds = 7 * 24 * 60 * 60;
/** An idle webhook is polled after this time, because a position expires after 30 days. */
const longestIdleMs = 20 * 24 * 60 * 60 * 1_000;
/** Claim duration: the longest run plus clock skew. */
export const claimMs = consumerTimeoutMs + 5_000;
/** The clock of the run that scheduled a poll may be ahead by this time. */
const clockSkewMs = 2_000;

interface Dependencies {
  sender: Sender;
  baseUrl: string;
}

interface Polled {
  /** Milliseconds until the next poll; undefined to wait for the next change or the sweep. */
  againMs?: number | undefined;
  attempt?: Attempt;
}

export interface Attempt {
  isAccepted: boolean;
  /** The delay that this service caused. */
  lateMs: number;
}

/**
 * Polls a webhook for changes and sends the next message. A claim lets one run at a time send. The position moves only after a 2xx, and only from
 * where it was read, so no change is skipped.
 * @throws if the table, or the key of the secrets, is unavailable. Then the webhook must be polled again.
 */
export async function deliverWebhook(table: Table, ref: WebhookRef, dependencies: Dependencies): Promise<Polled> {
  const stored = await readWebhook(table, ref.organisation_id, ref.id);
  if (stored?.status !== "active") return {};
  const nowMs = await passedMs(table);
  const unshownMs = untilShownMs(ref, nowMs) || undefined;
  const dueMs = Date.parse(stored.next_attempt ?? "") - nowMs;
  // The scheduled poll also sends the change of this wake-up, if that is visible by then.
  if (dueMs > 0 && isScheduled(stored, nowMs))
    return { againMs: unshownMs ?? (dueMs <= clockSkewMs ? dueMs : undefined) };
  // The run with the claim schedules another poll.
  if (isoOf(nowMs) < (stored.claimed_until ?? "")) return { againMs: unshownMs };
  const { message, position } = await nextMessage(table, stored, nowMs);
  if (!message || (await isSuspended(table, stored))) {
    await markIdle(table, stored, message ? stored.position : position, nowMs);
    return { againMs: unshownMs };
  }
  const claimed = await claim(table, stored, nowMs);
  return claimed ? attempt(table, claimed, message, dependencies) : { againMs: 0 };
}

/** A message before it is signed, and the position after it. */
interface NextMessage {
  type: "changes" | "restart";
  changes: WebhookChange[];
  hasMore: boolean;
  position: string;
}

/** @returns no message if there is nothing to send, and the position to continue from. */
async function nextMessage(table: Table, stored: StoredWebhook, nowMs: number) {
  const { organisation_id, position: cursor } = stored;
  try {
    const query = { types: typesOf(stored), per_page: maximumChanges, cursor, changed_since: undefined };
    const { data, pagination } = await changeRepository(organisation_id, table).list(query, nowMs);
    const { has_more: hasMore, resume_cursor: position } = pagination;
    const message: NextMessage = { type: "changes", changes: data.map(withoutData), hasMore, position };
    return { message: data.length > 0 ? message : undefined, position };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "cursor_expired") throw error;
    // Deletions after the position may be missing: the receiver must copy everything again.
    const position = changePositions(organisation_id).at(typesOf(stored), await acceptedUntil(table));
    const message: NextMessage = { type: "restart", changes: [], hasMore: false, position };
    return { message, position };
  }
}

/** A change as receivers get it: its type and id, no data. */
function withoutData(change: Change): WebhookChange {
  const { data: _, ...place } = change;
  return change.type === "balance_payment" ? { ...place, event_id: change.data?.event_id ?? null } : place;
}

async function isSuspended(table: Table, { organisation_id }: StoredWebhook): Promise<boolean> {
  return (await getItem(table, itemKeys.access(organisation_id)))?.suspended !== undefined;
}

/** Leaves a webhook to its next change. If this poll was due, schedules another before the position expires. */
async function markIdle(table: Table, stored: StoredWebhook, position: string, nowMs: number): Promise<void> {
  const isDue = (stored.next_attempt ?? "") <= isoOf(nowMs);
  if (!isDue && position === stored.position) return;
  const next_attempt = isDue ? isoOf(nowMs + longestIdleMs) : stored.next_attempt;
  await saveIfUnchanged(table, stored, { position, next_attempt, failures: 0 });
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

/** Sends a message and records the attempt. @param stored as it was claimed. */
async function attempt(
  table: Table,
  stored: StoredWebhook,
  message: NextMessage,
  { sender, baseUrl }: Dependencies,
): Promise<Polled> {
  const { organisation_id, id: webhookId, delivered_until } = stored;
  const { type, changes, hasMore: has_more } = message;
  const sentMs = await passedMs(table);
  const timestamp = isoOf(sentMs);
  const body: WebhookMessage =
    type === "changes"
      ? { type, timestamp, data: { organisation_id, has_more, changes } }
      : { type, timestamp, data: { organisation_id } };
  const id = messageIdOf(webhookId, JSON.stringify([type, body.data, type === "restart" ? stored.position : ""]));
  const response = await sendMessage(stored, { id, body, baseUrl }, sender);
  const isAccepted = response.status !== null && response.status >= 200 && response.status < 300;
  const endedMs = await passedMs(table);
  const outcome = isAccepted ? afterSuccess(stored, message, sentMs, endedMs) : afterFailure(stored, response, endedMs);
  const isSaved = await saveIfUnchanged(table, stored, { ...outcome, claimed_until: null });
  // An erasure must find nothing of the organisation afterwards.
  if (isSaved || (await readWebhook(table, organisation_id, webhookId))) {
    const isReplay = (changes[0]?.changed_at ?? "~") <= (delivered_until ?? "");
    await recordAttempt(table, stored, { timestamp, id, changes: changes.length, isReplay }, response);
  }
  if (isSaved && outcome.next_attempt === null)
    logger.warn("A webhook was disabled.", { organisation_id, webhook_id: webhookId });
  const againMs = Date.parse(outcome.next_attempt ?? "") - endedMs;
  return {
    againMs: isSaved && againMs <= longestDelayMs ? againMs : undefined,
    attempt: { isAccepted, lateMs: latenessOf(stored, changes[0], sentMs) },
  };
}

/** The delay since the first change was visible and the attempt was due, so slow and failing receivers do not count. */
function latenessOf({ next_attempt }: StoredWebhook, first: WebhookChange | undefined, sentMs: number): number {
  if (!first) return 0;
  const shownMs = sentMs - Date.parse(first.changed_at) - visibilityDelayMs;
  const overdueMs = sentMs - Date.parse(next_attempt ?? "");
  return Math.max(0, overdueMs >= 0 ? Math.min(overdueMs, shownMs) : shownMs);
}

/**
 * Saves the outcome of a run, and keeps what else was changed meanwhile.
 * @returns false if the webhook is gone or claimed by another run, or the outcome no longer applies: the position was moved, or a failure is of an
 * earlier URL or status. Then only the claim ends.
 */
async function saveIfUnchanged(table: Table, before: StoredWebhook, outcome: Partial<StoredWebhook>): Promise<boolean> {
  for (let current: StoredWebhook | undefined = before; current?.claim_id === before.claim_id; ) {
    const isOther = current.url !== before.url || current.status !== before.status;
    const applies = current.position === before.position && (outcome.position !== undefined || !isOther);
    // Keep a poll that was scheduled during this run.
    const { next_attempt } = current.next_attempt === before.next_attempt ? { ...current, ...outcome } : current;
    const change = applies ? { ...outcome, next_attempt } : { claimed_until: null };
    const { put, condition } = withNextRevision(current, { ...current, ...change });
    if (await isWritten(putItem(table, put, condition))) return applies;
    await wait(pauseMs(1, 50));
    current = await readWebhook(table, before.organisation_id, before.id);
  }
  return false;
}

interface SentMessage {
  timestamp: string;
  id: string;
  changes: number;
  isReplay: boolean;
}

/** Keeps an attempt for super-admins, without the receiver's response. */
async function recordAttempt(
  table: Table,
  { organisation_id, id: webhookId, failures }: StoredWebhook,
  { timestamp: time, id: message_id, changes, isReplay: replay }: SentMessage,
  { status, durationMs: duration_ms, error }: ReceiverResponse,
): Promise<void> {
  const id = timeOrderedId(time);
  const expires_at = Math.floor(Date.parse(time) / 1_000) + deliveriesKeptSeconds;
  const attempt = failures + 1;
  const delivery: WebhookDelivery = { id, time, message_id, changes, attempt, status, duration_ms, error, replay };
  await putItem(table, { ...itemKeys.webhookDelivery(organisation_id, webhookId, id), ...delivery, expires_at });
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
