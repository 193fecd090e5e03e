import { randomInt } from "node:crypto";
import type { Change } from "../changes/change.ts";
import { acceptedUntil, changePositions, changeRepository, horizonMs, passedMs } from "../changes/changeRepository.ts";
import { Problem } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import { Pace } from "../table/pace.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { putItem } from "../table/writes.ts";
import { attempt, type Delivered, type Message, store } from "./attempt.ts";
import { longestDelayMs } from "./deliveryLimits.ts";
import type { WebhookChange } from "./message.ts";
import {
  claimMs,
  nextLook,
  readWebhook,
  repaired,
  revised,
  type Sender,
  type StoredWebhook,
  sender,
  typesOf,
} from "./storedWebhook.ts";
import type { WebhookRef } from "./wakeUp.ts";

/** The changes of one message. */
export const maximumChanges = 100;
/** Messages that are not full are this long apart, so that changes are coalesced. */
const coalescingMs = 5_000;
/** An attempt that is due as soon as this is waited for: the clock of the run that planned it may be a little ahead. */
const nearlyDueMs = 2_000;

interface Run {
  /** Aborts when no further message may be started. */
  signal: AbortSignal;
  delivered?: Delivered;
  sender?: Sender;
  /** The service's public address. */
  baseUrl?: string;
  /** Limits the looks at the same time of a batch: each reads a list for every type, over as many connections. */
  pace?: Pace;
}

/**
 * Sends a webhook its changes, message after message, until none is left. The position moves only after a 2xx, and only from where it was read, so
 * that no change is skipped, whatever fails in between.
 *
 * One run at a time sends: the one that has claimed the webhook. It looks again after each attempt, so any other run may leave its change, which is
 * shown already, to that one.
 *
 * @returns the milliseconds after which to run again; undefined if a later change, or the sweep, has to.
 * @throws if the table, or the key of the secrets, is unavailable. Then it must run again.
 */
export async function deliverWebhook(table: Table, ref: WebhookRef, run: Run): Promise<number | undefined> {
  const { signal, pace = new Pace() } = run;
  for (;;) {
    const found = await pace.run(() => look(table, ref, signal));
    if ("againMs" in found) return found.againMs;
    if (!("message" in found)) continue;
    const sending = { sender, baseUrl: "", ...run, nowMs: found.nowMs };
    const retryMs = await attempt(table, found.stored, found.message, sending);
    if (retryMs !== undefined) return retryMs;
  }
}

/** The webhook, claimed, with the message to send; when to run again, if it is not to be sent now; neither, to look again. */
type Found =
  | { stored: StoredWebhook; message: Message; nowMs: number }
  | { againMs: number | undefined }
  | { retry: true };

async function look(table: Table, ref: WebhookRef, signal: AbortSignal): Promise<Found> {
  const read = await readWebhook(table, ref.organisation_id, ref.id);
  if (read?.status !== "active") return { againMs: undefined };
  const nowMs = await passedMs(table);
  const stored = repaired(read, nowMs);
  const waitMs = untilShownMs(ref, nowMs);
  const dueMs = Date.parse(stored.next_attempt ?? "") - nowMs;
  if (dueMs > 0) return { againMs: waitMs ?? (dueMs <= nearlyDueMs ? dueMs : undefined) };
  if ((stored.claimed_until ?? "") > new Date(nowMs).toISOString()) return { againMs: waitMs };
  const { message, position, hasMore } = await nextMessage(table, stored);
  if (!message || (await isSuspended(table, stored))) {
    await rest(table, stored, message ? stored.position : position, nowMs);
    // All items of the page are damaged.
    return !message && hasMore ? { retry: true } : { againMs: waitMs };
  }
  const sinceSentMs = nowMs - Date.parse(stored.last_sent ?? "");
  if (!hasMore && sinceSentMs < coalescingMs) return { againMs: coalescingMs - sinceSentMs };
  if (signal.aborted) return { againMs: 0 };
  const claimed = await storeClaim(table, stored, newClaim(nowMs));
  return claimed ? { stored: claimed, message, nowMs } : { retry: true };
}

/**
 * How long until the change that woke the webhook is shown to it; undefined if it is shown already. The horizon has whole seconds, and clocks differ
 * a little.
 */
function untilShownMs({ until }: WebhookRef, nowMs: number): number | undefined {
  if (until === undefined) return undefined;
  const ms = Date.parse(until) + horizonMs + 1_500 - nowMs;
  return ms > 0 ? Math.min(ms, longestDelayMs) : undefined;
}

/** The next message, the position after it, and whether more follow. */
interface Next {
  /** Undefined if there is nothing to send. */
  message?: Message;
  position: string;
  hasMore: boolean;
}

async function nextMessage(table: Table, stored: StoredWebhook): Promise<Next> {
  const { organisation_id, position: cursor } = stored;
  try {
    const query = { types: typesOf(stored), per_page: maximumChanges, cursor, changed_since: undefined };
    const { data, pagination } = await changeRepository(organisation_id, table).list(query);
    const { has_more: hasMore, resume_cursor: position } = pagination;
    const changes = data.map(withoutData);
    const message: Message = { type: "changes", changes, hasMore, position };
    return { ...(changes.length > 0 && { message }), position, hasMore };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "cursor_expired") throw error;
    // Deletions after the position may be forgotten: the receiver must copy everything anew.
    const position = changePositions(organisation_id).at(typesOf(stored), await acceptedUntil(table));
    return { message: { type: "restart", changes: [], hasMore: false, position }, position, hasMore: false };
  }
}

/** What a message says of a change: nothing but where to read it. */
function withoutData(change: Change): WebhookChange {
  const { data: _, ...place } = change;
  return change.type === "balance_payment" ? { ...place, event_id: change.data?.event_id ?? null } : place;
}

async function isSuspended(table: Table, { organisation_id }: StoredWebhook): Promise<boolean> {
  return (await getItem(table, keys.access(organisation_id)))?.suspended !== undefined;
}

/** Leaves a webhook until a change, or until the sweep's next look. */
async function rest(table: Table, stored: StoredWebhook, position: string, nowMs: number): Promise<void> {
  const look_at = nextLook(stored, nowMs);
  if (position === stored.position && stored.next_attempt === null && look_at === stored.look_at) return;
  await store(table, stored, { position, next_attempt: null, look_at });
}

/** @returns the claimed webhook; undefined if somebody changed it meanwhile. */
async function storeClaim(table: Table, stored: StoredWebhook, claimed_until: string) {
  const { put, condition } = revised(stored, { ...stored, claimed_until });
  try {
    await putItem(table, put, condition);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // The response of an earlier try was lost.
    if (error.item?.claimed_until !== claimed_until) return undefined;
  }
  return { ...stored, claimed_until, revision: stored.revision + 1 };
}

/** A time that no other run has. As a text, it sorts like a time; `Date.parse` would misread its digits. */
function newClaim(nowMs: number): string {
  const digits = String(randomInt(1e9)).padStart(9, "0");
  return new Date(nowMs + claimMs).toISOString().replace("Z", `${digits}Z`);
}
