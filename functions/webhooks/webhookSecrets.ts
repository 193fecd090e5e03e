import * as z from "zod";
import { acceptedUntil, changePositions } from "../changes/changeRepository.ts";
import type { Actor } from "../keys/activityRepository.ts";
import { Problem } from "../problem.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { keys } from "../table/keys.ts";
import { lists } from "../table/lists.ts";
import { getItem, listItems } from "../table/reads.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import {
  activity,
  assertReachable,
  getWebhook,
  type Place,
  timeOf,
  untilWritten,
  writeChange,
} from "./changeWebhook.ts";
import { signingSecret } from "./signature.ts";
import {
  dueSoon,
  earlierSecretMs,
  itemOf,
  readWebhook,
  type StoredWebhook,
  typesOf,
  withoutFailure,
} from "./storedWebhook.ts";
import { wakeSoon } from "./wakeUp.ts";
import { changedMeanwhile, maximumWebhooks, Webhook, type WebhookInput } from "./webhook.ts";

const deletedSince = "The webhook that this request created was deleted.";
const replacedSince = "This request has succeeded before, but a later rotation replaced its secret.";
const createdMeanwhile = "Other webhooks were created at the same time. Retry the request.";

/** Creates a webhook, unless this request has created it before. @throws Problem */
export async function createWebhook(
  place: Place,
  { url, types = null, description = null }: WebhookInput,
  actor: Actor,
  idempotencyKey?: string,
) {
  const { table, organisationId } = place;
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createWebhook", url, types, description]);
  if (!(await shownBefore(place, request))) await assertReachable(url);
  return untilWritten(async () => {
    // Before the count: a creation that the count misses takes this turn, so that the write below fails.
    const turn = await nextTurn(place);
    const { items } = await listItems(table, lists.webhooks(organisationId), maximumWebhooks);
    const earlier = await shownBefore(place, request);
    if (earlier) return earlier;
    if (items.length === maximumWebhooks)
      throw new Problem("conflict", `The organisation has ${maximumWebhooks} webhooks already.`);
    const stored = await newWebhook(place, { url, types, description }, actor);
    const writes: TransactWrite[] = [
      { put: itemOf(stored), condition: { condition: "attribute_not_exists(PK)" } },
      turn,
      activity(stored, "created", actor, stored.created),
      ...entryOf(place, request, stored),
    ];
    await transactWrite(table, writes, 0);
    await wakeSoon([{ organisation_id: organisationId, id: stored.id }]);
    return shown(place, stored);
  }, createdMeanwhile);
}

const Turns = z.object({ turn: z.int() });

/** The write that takes the next turn, which only one of several creations can. */
async function nextTurn({ table, organisationId }: Place): Promise<TransactWrite> {
  const key = keys.webhookTurns(organisationId);
  const item = await getItem(table, key);
  if (!item) return { put: { ...key, turn: 1 }, condition: { condition: "attribute_not_exists(PK)" } };
  const { turn } = Turns.parse(item);
  return { put: { ...key, turn: turn + 1 }, condition: { condition: "turn = :turn", values: { ":turn": turn } } };
}

/** A webhook that begins with the changes from now on. */
async function newWebhook(
  { organisationId, table }: Place,
  settings: Pick<Webhook, "url" | "types" | "description">,
  { name }: Actor,
): Promise<StoredWebhook> {
  const position = changePositions(organisationId).at(typesOf(settings), await acceptedUntil(table));
  const created = timeOf(table);
  return {
    ...settings,
    ...withoutFailure,
    ...dueSoon(Date.parse(created)),
    id: timeOrderedId(created),
    organisation_id: organisationId,
    status: "active",
    created,
    created_by: name,
    position,
    delivered_until: null,
    last_sent: null,
    claimed_until: null,
    secret_version: 1,
    earlier_secret_until: null,
    revision: 1,
  };
}

/** Makes a new secret, unless this request has made it before. @throws Problem `not_found`, `conflict` */
export function rotateSecret(place: Place, id: string, actor: Actor, idempotencyKey?: string) {
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["rotateWebhookSecret", id]);
  return untilWritten(async () => {
    const before = await getWebhook(place, id);
    const earlier = await shownBefore(place, request);
    if (earlier) return earlier;
    const { secret_version, earlier_secret_until: until } = before;
    if (until !== null && until > timeOf(place.table)) throw new Problem("conflict", stillSigns(until));
    const earlier_secret_until = timeOf(place.table, earlierSecretMs);
    const after = { ...before, secret_version: secret_version + 1, earlier_secret_until };
    const also = entryOf(place, request, after);
    return shown(place, await writeChange(place, before, after, { action: "secret_rotated", actor, also }));
  }, changedMeanwhile);
}

function stillSigns(until: string): string {
  return `The secret before the last rotation still signs, until ${until}. To rotate now, first end it with PATCH and {"earlier_secret_until":null}.`;
}

/** What a request's response showed. */
const Shown = z.object({ id: z.string(), secret_version: z.int() });

function entryOf(
  { organisationId, table }: Place,
  request: IdempotencyKey | undefined,
  { id, secret_version }: StoredWebhook,
): TransactWrite[] {
  return request ? [idempotencyEntry(organisationId, request, { id, secret_version }, table.clock)] : [];
}

/** What an earlier try of the same request showed. @throws Problem `conflict` if it is not valid any more, `idempotency_mismatch` */
async function shownBefore(place: Place, request: IdempotencyKey | undefined) {
  if (!request) return undefined;
  const { table, organisationId } = place;
  const item = await getItem(table, keys.idempotency(organisationId, request.hash));
  const entry = replayOf(item, request, Shown, table.clock);
  if (!entry) return undefined;
  const stored = await readWebhook(table, organisationId, entry.id);
  if (!stored) throw new Problem("conflict", deletedSince);
  if (stored.secret_version !== entry.secret_version) throw new Problem("conflict", replacedSince);
  return shown(place, stored, true);
}

async function shown({ organisationId, sender: { mac } }: Place, stored: StoredWebhook, isReplayed = false) {
  const { id: webhookId, secret_version: version } = stored;
  const secret = await signingSecret(mac, { organisationId, webhookId, version });
  return { webhook: { ...Webhook.parse(stored), secret }, isReplayed };
}
