import { setTimeout as wait } from "node:timers/promises";
import type { Change } from "../changes/change.ts";
import { acceptedUntil, changePositions, changeRepository } from "../changes/changeRepository.ts";
import { logger } from "../log/logger.ts";
import { Problem } from "../problem.ts";
import { timeOrderedId } from "../resources/fields.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { putItem } from "../table/writes.ts";
import type { Answered } from "./receiver.ts";
import { messageIdOf } from "./signature.ts";
import {
  readWebhook,
  revised,
  type Sender,
  type StoredWebhook,
  sender,
  sendMessage,
  typesOf,
  withoutFailure,
} from "./storedWebhook.ts";
import type { WebhookRef } from "./wakeUp.ts";
import type { WebhookDelivery } from "./webhook.ts";

/** The changes of one message. */
const maximumChanges = 100;
/** Messages that are not full are this long apart, so that changes are coalesced. */
const coalescingMs = 5_000;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long after the first, second, and so on, failed attempt in a row the next one is made. The last repeats. */
export const retryMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
/** How long a receiver may fail before its webhook is disabled. */
export const disabledAfterMs = 5 * 24 * hourMs;
const deliveriesKeptSeconds = 7 * 24 * 60 * 60;

/** What a run did, for metrics. */
export interface Delivered {
  messages: number;
  failures: number;
  /** The age of the oldest change of a message when it was sent; undefined without messages. */
  waitedMs?: number;
}

interface Run {
  /** Aborts when no further message may be started. */
  signal: AbortSignal;
  delivered?: Delivered;
  sender?: Sender;
  now?: () => number;
}

/**
 * Sends a webhook its changes, message after message, until none is left. The position moves only after a 2xx, and only from where it was read, so
 * that no change is skipped, whatever fails in between.
 *
 * @returns the milliseconds after which to run again; undefined if a later change, or the sweep, has to.
 */
export async function deliverWebhook(table: Table, ref: WebhookRef, run: Run): Promise<number | undefined> {
  const { signal, now = Date.now } = run;
  for (;;) {
    const stored = await readWebhook(table, ref.organisation_id, ref.id);
    if (stored?.status !== "active") return undefined;
    const dueMs = Date.parse(stored.next_attempt ?? "") - now();
    if (dueMs > 0) return dueMs;
    const next = await nextMessage(table, stored);
    if (!next.type) {
      // The position of an idle webhook must not grow old.
      if (next.position !== stored.position) await store(table, stored, { position: next.position });
      // All items of the page are damaged.
      if (next.data.has_more) continue;
      return undefined;
    }
    const sinceSentMs = now() - Date.parse(stored.last_sent ?? "");
    // A time in the future is from a clock that was ahead.
    if (!next.data.has_more && sinceSentMs >= 0 && sinceSentMs < coalescingMs) return coalescingMs - sinceSentMs;
    if (signal.aborted) return 0;
    const { isMoreDue, againMs } = await sendNext(table, stored, next, { ...run, now });
    if (!isMoreDue) return againMs;
  }
}

type Thin = Omit<Change, "data">;

/** The next message, and the position after it. Without a type there is nothing to send. */
interface Next {
  type?: "changes" | "restart";
  data: { organisation_id: number; has_more: boolean; changes: Thin[] };
  position: string;
}

async function nextMessage(table: Table, stored: StoredWebhook): Promise<Next> {
  const { organisation_id, position: cursor } = stored;
  try {
    const query = { types: typesOf(stored), per_page: maximumChanges, cursor, changed_since: undefined };
    const { data, pagination } = await changeRepository(organisation_id, table).list(query);
    const thin = data.map(({ data: _, ...change }): Thin => change);
    const message = { organisation_id, has_more: pagination.has_more, changes: thin };
    return { ...(thin.length > 0 && { type: "changes" }), data: message, position: pagination.resume_cursor };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "cursor_expired") throw error;
    // Deletions after the position may be forgotten: the receiver must copy everything anew.
    const position = changePositions(organisation_id).at(typesOf(stored), await acceptedUntil(table));
    return { type: "restart", data: { organisation_id, has_more: false, changes: [] }, position };
  }
}

/** Sends a message and records the outcome. A change that is shown meanwhile has a wake-up of its own. */
async function sendNext(
  table: Table,
  stored: StoredWebhook,
  { type, data, position }: Next,
  { delivered, sender: own = sender, now = Date.now }: Run,
): Promise<{ isMoreDue: boolean; againMs?: number | undefined }> {
  const sent = new Date(now());
  const time = sent.toISOString();
  const { organisation_id, changes, has_more } = data;
  const content = type === "changes" ? { organisation_id, has_more, changes } : { organisation_id };
  const messageId = messageIdOf(stored.id, JSON.stringify([type, content, type === "restart" ? stored.position : ""]));
  const body = JSON.stringify({ type, timestamp: time, data: content });
  const answered = await sendMessage(stored, { id: messageId, body, sent }, own);
  const isTaken = answered.status !== null && answered.status >= 200 && answered.status < 300;
  count(delivered, isTaken, sent, changes[0]);
  const attempt = { time, message_id: messageId, changes: changes.length, attempt: stored.failures + 1 };
  const last = changes.at(-1)?.changed_at;
  const taken = { position, ...(last !== undefined && { delivered_until: last }), ...withoutFailure, last_sent: time };
  const failure = failed(stored, answered, now());
  const isStored = await store(table, stored, isTaken ? taken : failure);
  await recordAttempt(table, stored, attempt, answered);
  if (isTaken || !isStored) return { isMoreDue: has_more || !isStored };
  const { next_attempt } = failure;
  if (next_attempt === null) logger.warn("A webhook was disabled.", { organisation_id, webhook_id: stored.id });
  return { isMoreDue: false, againMs: next_attempt === null ? undefined : Date.parse(next_attempt) - now() };
}

function count(delivered: Delivered | undefined, isTaken: boolean, sent: Date, first: Thin | undefined): void {
  if (!delivered) return;
  delivered[isTaken ? "messages" : "failures"] += 1;
  if (!isTaken || !first) return;
  delivered.waitedMs = Math.max(delivered.waitedMs ?? 0, sent.getTime() - Date.parse(first.changed_at));
}

/** What a failed attempt changes. */
function failed(stored: StoredWebhook, { status }: Answered, nowMs: number) {
  const time = new Date(nowMs).toISOString();
  const failing_since = stored.failing_since ?? time;
  const common = { failing_since, failures: stored.failures + 1, last_sent: time };
  if (status === 410 || nowMs - Date.parse(failing_since) >= disabledAfterMs)
    return { ...common, status: "disabled" as const, next_attempt: null, webhook_disabled: time };
  const delayMs = retryMs[Math.min(stored.failures, retryMs.length - 1)] ?? 0;
  return { ...common, next_attempt: new Date(nowMs + delayMs).toISOString() };
}

/**
 * Stores what a delivery changed. Somebody may have changed the webhook meanwhile, which is kept.
 * @returns false if the webhook is gone, or its position is another one: by a replay, other types, or another delivery.
 */
async function store(table: Table, before: StoredWebhook, change: Partial<StoredWebhook>): Promise<boolean> {
  for (let current: StoredWebhook | undefined = before; current; ) {
    try {
      const { put, condition } = revised(current, { ...current, ...change });
      await putItem(table, put, condition);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await wait(Math.random() * 50);
      current = await readWebhook(table, before.organisation_id, before.id);
      if (current?.position !== before.position) return false;
      // A failure of another address, or before a person's change of the status, counts no more.
      const isFailure = change.position === undefined;
      if (isFailure && (current.url !== before.url || current.status !== before.status)) return false;
    }
  }
  return false;
}

/** Keeps an attempt for super-admins, without the receiver's response. */
async function recordAttempt(
  table: Table,
  { organisation_id, id: webhookId }: StoredWebhook,
  attempt: Pick<WebhookDelivery, "time" | "message_id" | "changes" | "attempt">,
  { status, durationMs: duration_ms, error }: Answered,
): Promise<void> {
  const id = timeOrderedId(attempt.time);
  const expires_at = Math.floor(Date.parse(attempt.time) / 1_000) + deliveriesKeptSeconds;
  const key = keys.webhookDelivery(organisation_id, webhookId, id);
  await putItem(table, { ...key, id, ...attempt, status, duration_ms, error, expires_at });
}
