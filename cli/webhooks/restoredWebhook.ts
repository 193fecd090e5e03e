import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { itemOf, StoredWebhook, withoutFailure } from "../../functions/webhooks/storedWebhook.ts";

const Earlier = StoredWebhook.extend({ PK: z.string(), SK: z.string() }).refine(({ PK, SK, organisation_id, id }) => {
  const key = itemKeys.webhook(organisation_id, id);
  return key.PK === PK && key.SK === SK;
}, "It does not match its key.");

/**
 * A webhook of an earlier state of the table, as a restore writes it: paused, because it may have been deleted since, and with a new secret, because
 * any earlier one may have leaked. Rotations count the version up by one, so none reaches a time in milliseconds. The mark
 * `restored` stays until the next change.
 * @param nowMs by the table's clock.
 * @throws ZodError if the item is damaged, or its key is another webhook's.
 */
export function restoredWebhook(item: Item, nowMs: number): Item {
  const stored = Earlier.parse(item);
  const secret_version = Math.max(Math.floor(nowMs), stored.secret_version + 1);
  const restored = itemOf({
    ...stored,
    ...withoutFailure,
    status: "paused",
    secret_version,
    text_secret_from: stored.text_secret_from ?? secret_version,
    earlier_secret_until: null,
    claimed_until: null,
    next_poll: null,
    revision: stored.revision + 1,
  });
  return { ...restored, restored: true };
}

/** Tests that nobody has changed the webhook since it was restored. */
export function isAsRestored(item: Item | undefined): boolean {
  return item?.restored === true;
}

/** Describes restored webhooks to print, without their URLs' queries, which may be secrets. */
export function describeRestored(webhooks: readonly Item[]): string {
  if (webhooks.length === 0) return "";
  const lines = webhooks.map(({ organisation_id, id, url, description }) =>
    `  ${organisation_id}  ${id}  ${String(url).split("?")[0]}  ${description ?? ""}`.trimEnd(),
  );
  return `These webhooks are paused and have new secrets. To use one again, a super-admin of its organisation must rotate its secret, give the new
one to the receiver, and set the webhook to active; the others should be deleted:
${lines.join("\n")}\n`;
}
