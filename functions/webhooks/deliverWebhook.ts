import { acceptedUntil, changePositions, changeRepository, horizonMs, passedMs } from "../changes/changeRepository.ts";
import { Problem } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { putItem } from "../table/writes.ts";
import { attempt, type Delivered, type Message, store } from "./attempt.ts";
import {
  claimMs,
  lookAt,
  readWebhook,
  repaired,
  revised,
  type Sender,
  type StoredWebhook,
  sender,
  typesOf,
} from "./storedWebhook.ts";
import type { WebhookRef } from "./wakeUp.ts";
import { longestDelayMs } from "./webhooksDelivery.ts";

/** The changes of one message. */
const maximumChanges = 100;
/** Messages that are not full are this long apart, so that changes are coalesced. */
const coalescingMs = 5_000;
/** An attempt that is due as soon as this is waited for: the clock of the run that planned it may be a little ahead. */
const nearlyDueMs = 2_000;
/** An idle webhook's next look is planned anew when it is nearer than this. */
const nearestLookMs = 10 * 24 * 60 * 60 * 1_000;

interface Run {
  /** Aborts when no further message may be started. */
  signal: AbortSignal;
  delivered?: Delivered;
  sender?: Sender;
  /** The service's public address. */
  baseUrl?: string;
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
  let claim: string | null = null;
  for (;;) {
    const read = await readWebhook(table, ref.organisation_id, ref.id);
    if (read?.status !== "active") return undefined;
    const nowMs = await passedMs(table);
    const stored = repaired(read, nowMs);
    const waitMs = untilShownMs(ref, nowMs);
    if (waitMs > 0) return waitMs;
    const dueMs = Date.parse(stored.next_attempt ?? "") - nowMs;
    if (dueMs > 0) return dueMs <= nearlyDueMs ? dueMs : undefined;
    const isClaimed = stored.claimed_until !== claim && Date.parse(stored.claimed_until ?? "") > nowMs;
    if (isClaimed) return undefined;
    const next = await nextMessage(table, stored);
    if (!next.message || (await isSuspended(table, stored))) {
      await rest(table, stored, next.message ? stored.position : next.position, nowMs);
      // All items of the page are damaged.
      if (!next.message && next.hasMore) continue;
      return undefined;
    }
    const sinceSentMs = nowMs - Date.parse(stored.last_sent ?? "");
    if (!next.hasMore && sinceSentMs < coalescingMs) return coalescingMs - Math.max(0, sinceSentMs);
    if (run.signal.aborted) return 0;
    claim = new Date(nowMs + claimMs).toISOString();
    const claimed = await storeClaim(table, stored, claim);
    if (!claimed) continue;
    const retryMs = await attempt(table, claimed, next.message, { sender, baseUrl: "", ...run, nowMs });
    if (retryMs !== undefined) return retryMs;
  }
}

/** How long until the change that woke the webhook is shown to it: the horizon has whole seconds, and clocks differ a little. */
function untilShownMs({ until }: WebhookRef, nowMs: number): number {
  if (until === undefined) return 0;
  return Math.min(Date.parse(until) + horizonMs + 1_500 - nowMs, longestDelayMs);
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
    const changes = data.map(({ data: _, ...change }) => change);
    const message: Message = { type: "changes", changes, hasMore, position };
    return { ...(changes.length > 0 && { message }), position, hasMore };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "cursor_expired") throw error;
    // Deletions after the position may be forgotten: the receiver must copy everything anew.
    const position = changePositions(organisation_id).at(typesOf(stored), await acceptedUntil(table));
    return { message: { type: "restart", changes: [], hasMore: false, position }, position, hasMore: false };
  }
}

async function isSuspended(table: Table, { organisation_id }: StoredWebhook): Promise<boolean> {
  return (await getItem(table, keys.access(organisation_id)))?.suspended !== undefined;
}

/** Leaves a webhook until a change, or until the sweep's next look. */
async function rest(table: Table, stored: StoredWebhook, position: string, nowMs: number): Promise<void> {
  const isLookNear = !(Date.parse(stored.look_at) > nowMs + nearestLookMs);
  const { next_attempt } = stored;
  if (position === stored.position && next_attempt === null && !isLookNear) return;
  await store(table, stored, { position, next_attempt: null, ...(isLookNear && { look_at: lookAt(nowMs) }) });
}

/** @returns the claimed webhook; undefined if somebody changed it meanwhile. */
async function storeClaim(table: Table, stored: StoredWebhook, claimed_until: string) {
  const { put, condition } = revised(stored, { ...stored, claimed_until });
  try {
    await putItem(table, put, condition);
    return { ...stored, claimed_until, revision: stored.revision + 1 };
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
