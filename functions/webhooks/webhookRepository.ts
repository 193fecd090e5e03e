import type * as z from "zod";
import type { Actor } from "../audit/activityRepository.ts";
import { changePositions } from "../changes/changeRepository.ts";
import { notFound } from "../problem.ts";
import { acceptedUntil } from "../records/changeTime.ts";
import { itemKeys } from "../table/itemKeys.ts";
import type { Table } from "../table/table.ts";
import { ConditionFailed } from "../table/tableErrors.ts";
import { transactWrite } from "../table/writes.ts";
import type { WebhookMessage } from "./message.ts";
import { rotateSecret } from "./secretRotation.ts";
import { type Sender, sender, sendMessage } from "./sendMessage.ts";
import { messageIdOf } from "./signature.ts";
import { getWebhook, pollSoon, publicWebhook, type StoredWebhook, typesOf, withoutFailure } from "./storedWebhook.ts";
import { wake } from "./wakeUp.ts";
import { replayDays, type Webhook, type WebhookTest, type WebhookUpdate } from "./webhook.ts";
import { createWebhook } from "./webhookCreation.ts";
import { activity, assertReachable, changeWebhook, invalid, timeOf, type WebhookScope } from "./webhookWrites.ts";

/** Changes one organisation's webhooks, for its super-admins. One transaction writes each change and an entry of the audit trail. */
export function webhookRepository(organisationId: number, table: Table, own: Sender = sender) {
  const open =
    <Args extends unknown[], Result>(act: (scope: WebhookScope, ...args: Args) => Result) =>
    (...args: Args) =>
      act({ organisationId, table, sender: own }, ...args);
  return {
    create: open(createWebhook),
    update: open(changeSettings),
    delete: open(deleteWebhook),
    rotateSecret: open(rotateSecret),
    test: open(sendTest),
    replay: open(replay),
  };
}

/** @throws Problem `not_found`, `invalid_request` if the host is not public, `conflict` */
async function changeSettings(scope: WebhookScope, id: string, update: WebhookUpdate, actor: Actor): Promise<Webhook> {
  await getWebhook(scope.table, scope.organisationId, id);
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
        position: changePositions(scope.organisationId).withTypes(stored.position, typesOf(stored), typesOf({ types })),
      }),
      // A repaired receiver counts as failing until it accepts a message.
      ...(status === "active" && { failures: 0 }),
      ...(url !== undefined && withoutFailure),
      ...(status !== undefined && { status }),
      ...(earlier_secret_until !== undefined && { earlier_secret_until }),
    };
    return movesNothing ? after : pollSoon(after, scope.table.clock.nowMs());
  };
  const endsSecret = earlier_secret_until !== undefined && movesNothing && description === undefined;
  const action = endsSecret ? "earlier_secret_ended" : "changed";
  const after = await changeWebhook(scope, id, changed, { action, actor });
  return movesNothing ? publicWebhook(after, scope.table) : woken(scope, after);
}

/** Wakes a webhook if it is active, so that it need not wait for the sweep. */
async function woken({ table }: WebhookScope, stored: StoredWebhook): Promise<Webhook> {
  if (stored.status === "active") await wake([stored]);
  return publicWebhook(stored, table);
}

/** Also deletes its position. Its attempts expire by themselves. @throws Problem `not_found` */
async function deleteWebhook(scope: WebhookScope, id: string, actor: Actor): Promise<void> {
  const { table, organisationId } = scope;
  const stored = await getWebhook(table, organisationId, id);
  try {
    await transactWrite(table, [
      { delete: itemKeys.webhook(organisationId, id), condition: { condition: "attribute_exists(PK)" } },
      activity(stored, "deleted", actor, timeOf(table)),
    ]);
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound("webhook") : error;
  }
}

/** Sends a message of the type `test` now. The position stays. @throws Problem `not_found` */
async function sendTest(scope: WebhookScope, id: string, baseUrl: string): Promise<z.infer<typeof WebhookTest>> {
  const stored = await getWebhook(scope.table, scope.organisationId, id);
  const timestamp = timeOf(scope.table);
  const body: WebhookMessage = { type: "test", timestamp, data: { organisation_id: scope.organisationId } };
  const message = { id: messageIdOf(id, JSON.stringify(body)), body, baseUrl };
  const { status, durationMs, error, isSent, response } = await sendMessage(stored, message, scope.sender);
  return { status, duration_ms: durationMs, error, sent: isSent, response };
}

/**
 * Moves the position back, so that changes are sent again.
 * @throws Problem `invalid_request` if the time is too early, or later than the position.
 * @throws Problem `not_found`, `conflict`
 */
async function replay(scope: WebhookScope, id: string, from: string, actor: Actor): Promise<Webhook> {
  const time = new Date(from).toISOString();
  const positions = changePositions(scope.organisationId);
  const earliest = new Date(Date.parse(await acceptedUntil(scope.table)) - replayDays * dayMs).toISOString();
  if (time < earliest) throw invalid("/from", `Must be at most ${replayDays} days ago.`);
  const changed = (stored: StoredWebhook): StoredWebhook => {
    const reached = positions.timeOf(typesOf(stored), stored.position);
    if (time > reached)
      throw invalid("/from", "Must not be later than the last delivered change: that would skip changes.");
    const replayed = { ...stored, position: positions.at(typesOf(stored), time), failures: 0 };
    return pollSoon(replayed, scope.table.clock.nowMs());
  };
  return woken(scope, await changeWebhook(scope, id, changed, { action: "replayed", actor }));
}

const dayMs = 24 * 60 * 60 * 1_000;
