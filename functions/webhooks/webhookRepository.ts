import * as z from "zod";
import { acceptedUntil, changePositions } from "../changes/changeRepository.ts";
import type { PersonPrincipal } from "../people/personPrincipal.ts";
import { notFound, Problem } from "../problem.ts";
import { timeOrderedId } from "../resources/fields.ts";
import { ConditionFailed } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite, updateOf } from "../table/writes.ts";
import { hostProblem } from "./receiver.ts";
import { messageIdOf, signingSecret } from "./signature.ts";
import {
  allowsLoopback,
  earlierSecretMs,
  itemOf,
  readWebhook,
  revised,
  type Sender,
  type StoredWebhook,
  sender,
  sendMessage,
  typesOf,
  withoutFailure,
} from "./storedWebhook.ts";
import {
  maximumWebhooks,
  type NewWebhook,
  replayDays,
  Webhook,
  type WebhookActivity,
  type WebhookTest,
  type WebhookUpdate,
} from "./webhook.ts";

type Actor = Pick<PersonPrincipal, "name" | "subject">;

/** Why a webhook is not created. */
export const noMoreWebhooks = `The organisation has ${maximumWebhooks} webhooks already, or the webhook of this \`Idempotency-Key\` was deleted.`;

/** Why a webhook is not changed. */
export const changedMeanwhile = "The webhook was changed or delivered at the same time. Retry the request.";

/** Where an organisation's webhooks are, and how messages are sent. */
interface Place {
  organisationId: number;
  table: Table;
  sender: Sender;
}

/** Changes one organisation's webhooks, for its super-admins. One transaction writes each change and an entry of the audit trail. */
export function webhookRepository(organisationId: number, table: Table, own: Sender = sender) {
  const place = { organisationId, table, sender: own };
  return {
    /**
     * Creates a webhook that begins with the changes from now on. The same request with the same Idempotency-Key within 24 hours returns the same
     * webhook and secret.
     * @throws Problem `invalid_request` if the host is not public.
     * @throws Problem `conflict` if the organisation has too many.
     * @throws Problem `idempotency_mismatch`
     */
    create: (wanted: NewWebhook, actor: Actor, idempotencyKey?: string) => create(place, wanted, actor, idempotencyKey),

    /** @throws Problem `not_found`, `invalid_request` if the host is not public, `conflict` */
    update: (id: string, update: WebhookUpdate, actor: Actor) => changeSettings(place, id, update, actor),

    /** Also deletes its position. Its attempts expire by themselves. @throws Problem `not_found` */
    delete: (id: string, actor: Actor) => remove(place, id, actor),

    /** Makes a new secret. The one before signs beside it for 24 hours. @throws Problem `not_found`, `conflict` */
    async rotateSecret(id: string, actor: Actor) {
      const earlier_secret_until = new Date(Date.now() + earlierSecretMs).toISOString();
      const changed = async (stored: StoredWebhook) => ({
        ...stored,
        secret_version: stored.secret_version + 1,
        earlier_secret_until,
      });
      return withSecret(place, await change(place, id, changed, { action: "secret_rotated", actor }));
    },

    /** Sends a message of the type `test` now. It moves nothing. @throws Problem `not_found` */
    test: (id: string) => test(place, id),

    /**
     * Moves the position back, so that changes are sent again.
     * @throws Problem `invalid_request` if the time is too early, or later than the position.
     * @throws Problem `not_found`, `conflict`
     */
    replay: (id: string, from: string, actor: Actor) => replay(place, id, new Date(from).toISOString(), actor),
  };
}

async function get({ table, organisationId }: Place, id: string): Promise<StoredWebhook> {
  const stored = await readWebhook(table, organisationId, id);
  if (!stored) throw notFound("webhook");
  return stored;
}

async function withSecret({ organisationId, sender: { mac } }: Place, stored: StoredWebhook) {
  const { id: webhookId, secret_version: version } = stored;
  return { ...Webhook.parse(stored), secret: await signingSecret(mac, { organisationId, webhookId, version }) };
}

/** A change tries again if a delivery moved the webhook meanwhile. Deliveries of one webhook are seconds apart. */
const maximumTries = 5;

/** Changes a webhook as it was read, so that no delivery and no other change is overwritten. @throws Problem `conflict` */
async function change(
  place: Place,
  id: string,
  changed: (stored: StoredWebhook) => Promise<StoredWebhook>,
  { action, actor }: { action: WebhookActivity["action"]; actor: Actor },
): Promise<StoredWebhook> {
  for (let tries = 1; ; tries++) {
    const before = await get(place, id);
    const after = await changed(before);
    try {
      await transactWrite(place.table, [
        revised(before, after),
        activity(after, action, actor, new Date().toISOString()),
      ]);
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (tries === maximumTries) throw new Problem("conflict", changedMeanwhile);
    }
  }
}

async function create(
  place: Place,
  { url, types = null, description = null }: NewWebhook,
  actor: Actor,
  idempotencyKey?: string,
) {
  const { table, organisationId } = place;
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createWebhook", url, types, description]);
  const earlier = await replayed(place, request);
  if (earlier) return earlier;
  await assertReachable(url);
  const created = new Date().toISOString();
  const stored: StoredWebhook = {
    ...{ id: timeOrderedId(created), organisation_id: organisationId, url, types, description },
    ...{ status: "active", created, created_by: actor.name, delivered_until: null, last_sent: null, ...withoutFailure },
    ...{ secret_version: 1, earlier_secret_until: null, revision: 1 },
    position: changePositions(organisationId).at(typesOf({ types }), await acceptedUntil(table)),
  };
  try {
    await transactWrite(table, [
      { put: itemOf(stored), condition: { condition: "attribute_not_exists(PK)" } },
      { key: keys.webhookCount(organisationId), change: oneMore },
      activity(stored, "created", actor, created),
      ...(request ? [idempotencyEntry(organisationId, request, { id: stored.id })] : []),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const replay = await replayed(place, request);
    if (replay) return replay;
    throw new Problem("conflict", `The organisation has ${maximumWebhooks} webhooks already.`);
  }
  return { webhook: await withSecret(place, stored), isReplayed: false };
}

const Creation = z.object({ id: z.string() });

async function replayed(place: Place, request: IdempotencyKey | undefined) {
  if (!request) return undefined;
  const item = await getItem(place.table, keys.idempotency(place.organisationId, request.hash));
  const entry = replayOf(item, request, Creation);
  if (!entry) return undefined;
  const stored = await readWebhook(place.table, place.organisationId, entry.id);
  if (!stored) throw new Problem("conflict", "The webhook that this request created was deleted.");
  return { webhook: await withSecret(place, stored), isReplayed: true };
}

async function changeSettings(place: Place, id: string, update: WebhookUpdate, actor: Actor): Promise<Webhook> {
  await get(place, id);
  const { url, types, description, status } = update;
  if (url !== undefined) await assertReachable(url);
  const changed = async (stored: StoredWebhook): Promise<StoredWebhook> => ({
    ...stored,
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(types !== undefined && {
      types,
      position: changePositions(place.organisationId).withTypes(stored.position, typesOf(stored), typesOf({ types })),
    }),
    // Another address, or a receiver that was repaired, is tried at once.
    ...((url !== undefined || status === "active") && withoutFailure),
    ...(status !== undefined && { status }),
  });
  return Webhook.parse(await change(place, id, changed, { action: "changed", actor }));
}

async function remove(place: Place, id: string, actor: Actor): Promise<void> {
  const { table, organisationId } = place;
  const stored = await get(place, id);
  try {
    await transactWrite(table, [
      { delete: keys.webhook(organisationId, id), condition: { condition: "attribute_exists(PK)" } },
      { key: keys.webhookCount(organisationId), change: oneLess },
      activity(stored, "deleted", actor, new Date().toISOString()),
    ]);
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound("webhook") : error;
  }
}

async function test(place: Place, id: string): Promise<z.infer<typeof WebhookTest>> {
  const stored = await get(place, id);
  const sent = new Date();
  const data = { organisation_id: place.organisationId };
  const body = JSON.stringify({ type: "test", timestamp: sent.toISOString(), data });
  const { status, durationMs, error, response } = await sendMessage(
    stored,
    { id: messageIdOf(id, body), body, sent },
    place.sender,
  );
  return { status, duration_ms: durationMs, error, response };
}

async function replay(place: Place, id: string, time: string, actor: Actor): Promise<Webhook> {
  const positions = changePositions(place.organisationId);
  const earliest = new Date(Date.parse(await acceptedUntil(place.table)) - replayDays * dayMs).toISOString();
  if (time < earliest) throw invalid("/from", `Must be at most ${replayDays} days ago.`);
  const changed = async (stored: StoredWebhook): Promise<StoredWebhook> => {
    if (time > positions.timeOf(typesOf(stored), stored.position))
      throw invalid("/from", "Must not be later than the last delivered change, which would skip changes.");
    return { ...stored, position: positions.at(typesOf(stored), time), ...withoutFailure };
  };
  return Webhook.parse(await change(place, id, changed, { action: "replayed", actor }));
}

const dayMs = 24 * 60 * 60 * 1_000;

const oneMore = {
  ...updateOf({ add: { webhooks: 1 } }, { values: { ":maximum": maximumWebhooks } }),
  condition: "attribute_not_exists(webhooks) OR webhooks < :maximum",
};
const oneLess = updateOf({ add: { webhooks: -1 } });

/** @throws Problem `invalid_request` if the host is not public, or does not resolve. */
async function assertReachable(url: string): Promise<void> {
  const problem = await hostProblem(url, { allowsLoopback: allowsLoopback() });
  if (problem !== undefined) throw invalid("/url", problem);
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem("invalid_request", "The body is invalid.", { errors: [{ pointer, detail }] });
}

/** The write of the audit entry for a change of a webhook. A query in the URL may be a secret. */
function activity(
  { organisation_id, id: webhook_id, url }: StoredWebhook,
  action: WebhookActivity["action"],
  { name, subject }: Actor,
  time: string,
): TransactWrite {
  const entry = { id: timeOrderedId(time), action, time, actor: name, actor_id: subject, webhook_id };
  return {
    put: { ...keys.webhookActivity(organisation_id, entry.id), ...entry, url: url.split("?")[0] },
    condition: { condition: "attribute_not_exists(PK)" },
  };
}
