import type { Webhook, WebhookDelivery } from "../api/types.ts";
import { plain } from "../keys/keyRules.ts";
import { relativeTime, timeUntil } from "../parts/relativeTime.ts";

export const types = [
  { type: "event", title: "Events" },
  { type: "event_date", title: "Dates" },
  { type: "ticket_category", title: "Ticket categories" },
  { type: "order", title: "Orders" },
  { type: "ticket", title: "Tickets" },
  { type: "payment", title: "Payments" },
  { type: "discount", title: "Discounts" },
  { type: "attendee", title: "Attendees" },
  { type: "balance_payment", title: "Balance payments" },
];

/** The chosen types in words. A type that this page does not know keeps its technical name. */
export function typesOf({ types: chosen }: Pick<Webhook, "types">): string {
  if (chosen === null) return "All changes";
  return chosen.map((type) => types.find((known) => known.type === type)?.title ?? type).join(", ");
}

/** The webhook's description or, without one, the receiver's host. */
export function nameOf({ description, url }: Pick<Webhook, "description" | "url">): string {
  return description?.trim() || hostOf(url);
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

export interface Health {
  status: string;
  color: "teal" | "yellow" | "red" | "gray";
  text: string;
}

/** Describes whether a webhook delivers, or since when it has been failing. */
export function healthOf({ status, delivered_until, failing_since, next_attempt }: Webhook, now: Date): Health {
  const ago = (instant: string) => relativeTime(new Date(instant), now);
  const text = [
    status === "disabled" && "The receiver failed for five days, or responded with 410.",
    failing_since !== null && `First failed attempt: ${ago(failing_since)}.`,
    failing_since !== null && next_attempt !== null && `Next attempt: ${timeUntil(new Date(next_attempt), now)}.`,
    // The change's time, not the delivery's, which may be much later in a replay.
    delivered_until === null ? "Nothing has been delivered yet." : `Last delivered change: ${ago(delivered_until)}.`,
  ]
    .filter(Boolean)
    .join(" ");
  if (status === "paused") return { status: "Paused", color: "gray", text };
  if (status === "disabled") return { status: "Disabled", color: "red", text };
  return failing_since === null
    ? { status: "Active", color: "teal", text }
    : { status: "Failing", color: "yellow", text };
}

/** True if nothing is delivered although nobody has paused the webhook. */
export function needsRepair({ status, failing_since }: Webhook): boolean {
  return status === "disabled" || (status === "active" && failing_since !== null);
}

/** The API's limit. */
export const maximumWebhooks = 20;

export function matches(webhook: Webhook, search: string): boolean {
  return [nameOf(webhook), webhook.url].some((text) => plain(text).includes(plain(search)));
}

/** The end of the time in which two secrets sign; null outside it. */
export function earlierSecretUntil({ earlier_secret_until: until }: Webhook, now: Date): string | null {
  return until !== null && Date.parse(until) > now.getTime() ? until : null;
}

/** The receiver's response, "204 in 87 ms", or why there was none. */
export function answerOf({ status, duration_ms, error }: Pick<WebhookDelivery, "status" | "duration_ms" | "error">) {
  return status === null ? (error ?? "No response.") : `${status} in ${duration_ms} ms`;
}

/** The key of a signing secret as text; undefined if its bytes are none. */
export function keyAsText(secret: string): string | undefined {
  const text = atob(secret.slice("whsec_".length));
  return /^[\w-]{32}$/.test(text) ? text : undefined;
}
