import type * as z from "zod";
import { acceptedUntil, changePositions } from "../changes/changeRepository.ts";
import type { Actor } from "../keys/activityRepository.ts";
import { notFound } from "../problem.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { transactWrite } from "../table/writes.ts";
import { activity, assertReachable, changeWebhook, getWebhook, invalid, type Place, timeOf } from "./changeWebhook.ts";
import type { WebhookMessage } from "./message.ts";
import { messageIdOf } from "./signature.ts";
import {
  dueSoon,
  type Sender,
  type StoredWebhook,
  sender,
  sendMessage,
  typesOf,
  withoutFailure,
  withoutRetries,
} from "./storedWebhook.ts";
import { wakeSoon } from "./wakeUp.ts";
import { replayDays, Webhook, type WebhookInput, type WebhookTest, type WebhookUpdate } from "./webhook.ts";
import { createWebhook, rotateSecret } from "./webhookSecrets.ts";

/** Changes one organisation's webhooks, for its super-admins. One transaction writes each change and an entry of the audit trail. */
export function webhookRepository(organisationId: number, table: Table, own: Sender = sender) {
  const place = { organisationId, table, sender: own };
  return {
    /**
     * Creates a webhook that begins with the changes from now on. The same request with the same Idempotency-Key within 24 hours returns the same
     * webhook and secret.
     * @throws Problem `invalid_request` if the host is not public.
     * @throws Problem `conflict` if the organisation has too many, or the secret of the Idempotency-Key was replaced.
     * @throws Problem `idempotency_mismatch`
     */
    create: (wanted: WebhookInput, actor: Actor, idempotencyKey?: string) =>
      createWebhook(place, wanted, actor, idempotencyKey),

    /** @throws Problem `not_found`, `invalid_request` if the host is not public, `conflict` */
    update: (id: string, update: WebhookUpdate, actor: Actor) => changeSettings(place, id, update, actor),

    /** Also deletes its position. Its attempts expire by themselves. @throws Problem `not_found` */
    delete: (id: string, actor: Actor) => remove(place, id, actor),

    /**
     * Makes a new secret. The one before signs beside it for 24 hours. The same request with the same Idempotency-Key within that time returns the
     * same secret.
     * @throws Problem `conflict` while an earlier secret signs, or if the secret of the Idempotency-Key was replaced.
     * @throws Problem `not_found`, `idempotency_mismatch`
     */
    rotateSecret: (id: string, actor: Actor, idempotencyKey?: string) => rotateSecret(place, id, actor, idempotencyKey),

    /** Sends a message of the type `test` now. It moves nothing. @throws Problem `not_found` */
    test: (id: string, baseUrl: string) => test(place, id, baseUrl),

    /**
     * Moves the position back, so that changes are sent again.
     * @throws Problem `invalid_request` if the time is too early, or later than the position.
     * @throws Problem `not_found`, `conflict`
     */
    replay: (id: string, from: string, actor: Actor) => replay(place, id, new Date(from).toISOString(), actor),
  };
}

async function changeSettings(place: Place, id: string, update: WebhookUpdate, actor: Actor): Promise<Webhook> {
  await getWebhook(place, id);
  const { url, types, description, status, earlier_secret_until } = update;
  if (url !== undefined) await assertReachable(url);
  const movesNothing = url === undefined && types === undefined && status === undefined;
  const changed = (stored: StoredWebhook): StoredWebhook => {
    const after: StoredWebhook = {
      ...stored,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(types !== undefined && {
        types,
        position: changePositions(place.organisationId).withTypes(stored.position, typesOf(stored), typesOf({ types })),
      }),
      // Another address, or a receiver that was repaired, is tried at once. Until then the latter counts as failing.
      ...(status === "active" && withoutRetries),
      ...(url !== undefined && withoutFailure),
      ...(status !== undefined && { status }),
      ...(earlier_secret_until !== undefined && { earlier_secret_until }),
    };
    return movesNothing ? after : dueIfActive(place, after);
  };
  const endsSecret = earlier_secret_until !== undefined && movesNothing && description === undefined;
  const action = endsSecret ? "earlier_secret_ended" : "changed";
  const after = await changeWebhook(place, id, changed, { action, actor });
  return movesNothing ? Webhook.parse(after) : woken(after);
}

/** The marks by which the sweep finds the webhook, even if it is not woken. */
function dueIfActive({ table }: Place, stored: StoredWebhook): StoredWebhook {
  return { ...stored, ...(stored.status === "active" ? dueSoon(table.clock.nowMs()) : { next_attempt: null }) };
}

/** Wakes the webhook if it is active, so that it sends soon. */
async function woken(stored: StoredWebhook): Promise<Webhook> {
  const { organisation_id, id, status } = stored;
  if (status === "active") await wakeSoon([{ organisation_id, id }]);
  return Webhook.parse(stored);
}

async function remove(place: Place, id: string, actor: Actor): Promise<void> {
  const { table, organisationId } = place;
  const stored = await getWebhook(place, id);
  try {
    await transactWrite(table, [
      { delete: keys.webhook(organisationId, id), condition: { condition: "attribute_exists(PK)" } },
      activity(stored, "deleted", actor, timeOf(table)),
    ]);
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound("webhook") : error;
  }
}

async function test(place: Place, id: string, baseUrl: string): Promise<z.infer<typeof WebhookTest>> {
  const stored = await getWebhook(place, id);
  const timestamp = timeOf(place.table);
  const said: WebhookMessage = { type: "test", timestamp, data: { organisation_id: place.organisationId } };
  const body = JSON.stringify(said);
  const message = { id: messageIdOf(id, body), body, sent: new Date(timestamp), baseUrl };
  const { status, durationMs, error, isSent, response } = await sendMessage(stored, message, place.sender);
  return { status, duration_ms: durationMs, error, sent: isSent, response };
}

async function replay(place: Place, id: string, time: string, actor: Actor): Promise<Webhook> {
  const positions = changePositions(place.organisationId);
  const earliest = new Date(Date.parse(await acceptedUntil(place.table)) - replayDays * dayMs).toISOString();
  if (time < earliest) throw invalid("/from", `Must be at most ${replayDays} days ago.`);
  const changed = (stored: StoredWebhook): StoredWebhook => {
    const reached = positions.timeOf(typesOf(stored), stored.position);
    if (time > reached)
      throw invalid("/from", "Must not be later than the last delivered change, which would skip changes.");
    const { replay_until = "" } = stored;
    const replayed = { replay_until: reached > replay_until ? reached : replay_until, ...withoutRetries };
    return dueIfActive(place, { ...stored, position: positions.at(typesOf(stored), time), ...replayed });
  };
  return woken(await changeWebhook(place, id, changed, { action: "replayed", actor }));
}

const dayMs = 24 * 60 * 60 * 1_000;
