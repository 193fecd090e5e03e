import type { Actor } from "../audit/activityRepository.ts";
import { Problem } from "../problem.ts";
import { idempotencyKeyOf } from "../records/idempotency.ts";
import { shown, shownBefore, shownEntry } from "./secretResponse.ts";
import { getWebhook } from "./storedWebhook.ts";
import { changedMeanwhile } from "./webhook.ts";
import { timeOf, untilWritten, type WebhookScope, writeChange } from "./webhookWrites.ts";

/** The time for which the secret before a rotation also signs. */
export const earlierSecretMs = 24 * 60 * 60 * 1_000;

/**
 * Makes a new secret. The earlier secret also signs for 24 hours. The same request with the same Idempotency-Key within that time returns the same
 * secret.
 * @throws Problem `conflict` while an earlier secret signs, or if the secret of the Idempotency-Key was replaced.
 * @throws Problem `not_found`, `idempotency_mismatch`
 */
export function rotateSecret(scope: WebhookScope, id: string, actor: Actor, idempotencyKey?: string) {
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["rotateWebhookSecret", id]);
  return untilWritten(async () => {
    const before = await getWebhook(scope.table, scope.organisationId, id);
    const earlier = await shownBefore(scope, request);
    if (earlier) return earlier;
    const { secret_version, earlier_secret_until: until } = before;
    if (until !== null && until > timeOf(scope.table)) throw new Problem("conflict", stillSigns(until));
    const earlier_secret_until = timeOf(scope.table, earlierSecretMs);
    const version = secret_version + 1;
    const text_secret_from = before.text_secret_from ?? version;
    const after = { ...before, secret_version: version, text_secret_from, earlier_secret_until };
    const also = shownEntry(scope, request, after);
    return shown(scope, await writeChange(scope, before, after, { action: "secret_rotated", actor, also }));
  }, changedMeanwhile);
}

function stillSigns(until: string): string {
  return `The earlier secret still signs until ${until}. To rotate now, first end it with PATCH and {"earlier_secret_until":null}.`;
}
