import { setTimeout as wait } from "node:timers/promises";
import { horizonMs, passedMs } from "../changes/changeRepository.ts";
import { logger } from "../log/logger.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { pauseMs } from "../table/untilTaken.ts";
import { putItem } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import type { WebhookChange, WebhookMessage } from "./message.ts";
import { type Answered, receiverTimeoutMs } from "./receiver.ts";
import { messageIdOf } from "./signature.ts";
import {
  longestRetryMs,
  nextLook,
  readWebhook,
  revised,
  type Sender,
  type StoredWebhook,
  sendMessage,
  withoutFailure,
} from "./storedWebhook.ts";
import type { WebhookDelivery } from "./webhook.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long after the first, second, and so on, failed attempt in a row the next one is made. The last repeats. */
export const retryMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
/** How long a receiver may fail before its webhook is disabled ... */
export const disabledAfterMs = 5 * 24 * hourMs;
/** ... if it also failed this often: the service itself may have been down meanwhile. */
const disabledAfterFailures = 8;
const deliveriesKeptSeconds = 7 * 24 * 60 * 60;

/** What a run did, for metrics. */
export interface Delivered {
  messages: number;
  failures: number;
  /** The age of the oldest change of a message when it was sent; undefined without messages. */
  waitedMs?: number;
  /** By how much a message was late because of us. */
  lateMs: number;
}

/** What a message says, and the position after it. */
export interface Message {
  type: "changes" | "restart";
  changes: WebhookChange[];
  hasMore: boolean;
  position: string;
}

interface Sending {
  sender: Sender;
  baseUrl: string;
  /** The table's time. */
  nowMs: number;
  delivered?: Delivered;
}

/**
 * Sends a message and records the outcome.
 * @param stored as it was claimed.
 * @returns the milliseconds until the next attempt after a failure; undefined to look again.
 */
export async function attempt(
  table: Table,
  stored: StoredWebhook,
  message: Message,
  { sender, baseUrl, nowMs, delivered }: Sending,
): Promise<number | undefined> {
  const sent = new Date(nowMs);
  const { type, changes, hasMore: has_more, position } = message;
  const { organisation_id } = stored;
  countLateness(delivered, stored, message, nowMs);
  const timestamp = sent.toISOString();
  const said: WebhookMessage =
    type === "changes"
      ? { type, timestamp, data: { organisation_id, has_more, changes } }
      : { type, timestamp, data: { organisation_id } };
  const id = messageIdOf(stored.id, JSON.stringify([type, said.data, type === "restart" ? stored.position : ""]));
  const body = JSON.stringify(said);
  const answered = await sendMessage(stored, { id, body, sent, baseUrl }, sender);
  const isTaken = answered.status !== null && answered.status >= 200 && answered.status < 300;
  count(delivered, isTaken, nowMs, changes[0]);
  const last = changes.at(-1)?.changed_at;
  const taken = { position, ...(last !== undefined && { delivered_until: last }), ...withoutFailure };
  const { failure, delayMs } = failed(stored, answered, await passedMs(table));
  const look_at = nextLook(stored, nowMs);
  const outcome = { ...(isTaken ? taken : failure), last_sent: sent.toISOString(), claimed_until: null, look_at };
  const isStored = await store(table, stored, outcome);
  // An erasure must find nothing of the organisation afterwards.
  if (!isStored && !(await readWebhook(table, organisation_id, stored.id))) return undefined;
  const replay = (changes[0]?.changed_at ?? "~") <= (stored.replay_until ?? "");
  await recordAttempt(table, stored, { sent, message_id: id, changes: changes.length, replay }, answered);
  if (isTaken || !isStored) return undefined;
  if (failure.next_attempt !== null) return delayMs;
  logger.warn("A webhook was disabled.", { organisation_id, webhook_id: stored.id });
  return undefined;
}

/**
 * A message is late from when its first change is shown, or the message before it has certainly ended, or its retry is due. So neither a receiver's
 * slowness nor its failures count.
 */
function countLateness(
  delivered: Delivered | undefined,
  { last_sent, next_attempt }: StoredWebhook,
  { changes: [first] }: Message,
  nowMs: number,
): void {
  if (!delivered || !first) return;
  const dueMs = [
    Date.parse(first.changed_at) + horizonMs,
    Date.parse(last_sent ?? "") + receiverTimeoutMs,
    Date.parse(next_attempt ?? ""),
  ].filter((ms) => !Number.isNaN(ms));
  delivered.lateMs = Math.max(delivered.lateMs, nowMs - Math.max(...dueMs));
}

function count(
  delivered: Delivered | undefined,
  isTaken: boolean,
  sentMs: number,
  first: Message["changes"][0] | undefined,
) {
  if (!delivered) return;
  delivered[isTaken ? "messages" : "failures"] += 1;
  if (!isTaken || !first) return;
  delivered.waitedMs = Math.max(delivered.waitedMs ?? 0, sentMs - Date.parse(first.changed_at));
}

/** What a failed attempt changes, and the time until the next. */
function failed(stored: StoredWebhook, { status, retryAfterMs }: Answered, nowMs: number) {
  const time = new Date(nowMs).toISOString();
  const failures = stored.failures + 1;
  const since = stored.failing_since ?? time;
  const isLong = nowMs - Date.parse(since) >= disabledAfterMs;
  const isOften = failures >= disabledAfterFailures;
  // Few failures in a long time were not the receiver's: the count begins anew.
  const common = { failing_since: isLong && !isOften ? time : since, failures };
  if (status === 410 || (isLong && isOften)) {
    const disabled = { status: "disabled" as const, next_attempt: null, webhook_disabled: time };
    return { failure: { ...common, ...disabled }, delayMs: 0 };
  }
  const planned = retryMs[Math.min(stored.failures, retryMs.length - 1)] ?? 0;
  const delayMs = Math.max(planned, Math.min(retryAfterMs ?? 0, longestRetryMs));
  return { failure: { ...common, next_attempt: new Date(nowMs + delayMs).toISOString() }, delayMs };
}

/**
 * Stores what a delivery changed. Somebody may have changed the webhook meanwhile, which is kept.
 * @returns false if the webhook is gone, or its position is another one: by a replay, other types, or another delivery.
 */
export async function store(table: Table, before: StoredWebhook, change: Partial<StoredWebhook>): Promise<boolean> {
  for (let current: StoredWebhook | undefined = before; current; ) {
    // An attempt that somebody planned meanwhile is for what they changed.
    const { next_attempt } = current.next_attempt === before.next_attempt ? { ...current, ...change } : current;
    try {
      const { put, condition } = revised(current, { ...current, ...change, next_attempt });
      await putItem(table, put, condition);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await wait(pauseMs(1, 50));
      current = await readWebhook(table, before.organisation_id, before.id);
      if (!current) return false;
      // A failure of another address, or before a person's change of the status, counts no more.
      const isFailure = change.position === undefined;
      const isOther = current.url !== before.url || current.status !== before.status;
      if (current.position === before.position && !(isFailure && isOther)) continue;
      if (change.claimed_until === null) await release(table, current, before.claimed_until);
      return false;
    }
  }
  return false;
}

/** Lets others send again. */
async function release(table: Table, stored: StoredWebhook, claim: string | null): Promise<void> {
  if (stored.claimed_until === claim) await store(table, stored, { claimed_until: null });
}

/** Keeps an attempt for super-admins, without the receiver's response. */
async function recordAttempt(
  table: Table,
  { organisation_id, id: webhookId, failures }: StoredWebhook,
  { sent, ...message }: Pick<WebhookDelivery, "message_id" | "changes" | "replay"> & { sent: Date },
  { status, durationMs: duration_ms, error }: Answered,
): Promise<void> {
  const time = sent.toISOString();
  const id = timeOrderedId(time);
  const expires_at = Math.floor(sent.getTime() / 1_000) + deliveriesKeptSeconds;
  const delivery: WebhookDelivery = { id, time, ...message, attempt: failures + 1, status, duration_ms, error };
  await putItem(table, { ...keys.webhookDelivery(organisation_id, webhookId, id), ...delivery, expires_at });
}
