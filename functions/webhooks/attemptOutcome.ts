import { isoOf } from "../values/instant.ts";
import type { WebhookChange } from "./message.ts";
import type { ReceiverResponse } from "./receiver.ts";
import { type StoredWebhook, withoutFailure } from "./storedWebhook.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The time after a message in which changes are merged into the next one. */
const coalescingMs = 5_000;
/** The delays after the first, second, and so on, consecutive failure. The last repeats. */
export const retryMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs];
/** Duration of failures before a webhook is disabled. */
export const disabledAfterMs = 5 * dayMs;
/** Minimum failures before disabling, in case the service itself was down. */
const disabledAfterFailures = 8;

interface Delivered {
  changes: readonly WebhookChange[];
  hasMore: boolean;
  /** The position after the message. */
  position: string;
}

export function afterSuccess(
  { delivered_until }: StoredWebhook,
  { changes, hasMore, position }: Delivered,
  sentMs: number,
  nowMs: number,
) {
  const last = changes.at(-1)?.changed_at;
  return {
    ...withoutFailure,
    position,
    // A replay does not move it back.
    delivered_until: last && last > (delivered_until ?? "") ? last : delivered_until,
    next_poll: isoOf(hasMore ? nowMs : Math.max(nowMs, sentMs + coalescingMs)),
  };
}

export function afterFailure(stored: StoredWebhook, { status, retryAfterMs }: ReceiverResponse, nowMs: number) {
  const time = isoOf(nowMs);
  const failures = stored.failures + 1;
  const since = stored.failing_since ?? time;
  const isLong = nowMs - Date.parse(since) >= disabledAfterMs;
  const isOften = failures >= disabledAfterFailures;
  // With few failures in a long time, this service may have been down, so the time starts again.
  const failing = { failing_since: isLong && !isOften ? time : since, failures };
  if (status === 410 || (isLong && isOften))
    return { ...failing, status: "disabled" as const, next_poll: null, webhook_disabled: time };
  const delayMs = Math.max(retryMs[Math.min(stored.failures, retryMs.length - 1)] ?? 0, retryAfterMs ?? 0);
  return { ...failing, next_poll: isoOf(nowMs + delayMs) };
}
