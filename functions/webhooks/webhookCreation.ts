import * as z from "zod";
import type { Actor } from "../audit/activityRepository.ts";
import { acceptedUntil, changePositions } from "../changes/changeRepository.ts";
import { Problem } from "../problem.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { tableLists } from "../table/lists.ts";
import { getItem, listItems } from "../table/reads.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { signingSecret } from "./signature.ts";
import {
  itemOf,
  pollSoon,
  publicWebhook,
  readWebhook,
  type StoredWebhook,
  typesOf,
  withoutFailure,
} from "./storedWebhook.ts";
import { wake } from "./wakeUp.ts";
import { changedMeanwhile, maximumWebhooks, type Webhook, type WebhookInput } from "./webhook.ts";
import {
  activity,
  assertReachable,
  getWebhook,
  timeOf,
  untilWritten,
  type WebhookScope,
  writeChange,
} from "./webhookWrites.ts";

/** The time for which the secret before a rotation also signs. */
export const earlierSecretMs = 24 * 60 * 60 * 1_000;

const deletedSince = "The webhook that this request created was deleted.";
const replacedSince = "This request has succeeded before, but a later rotation replaced its secret.";
const createdMeanwhile = "Other webhooks are being created concurrently. Retry the request.";

/** Creates a webhook, unless this request has created it before. @throws Problem */
export async function createWebhook(
  scope: WebhookScope,
  { url, types = null, description = null }: WebhookInput,
  actor: Actor,
  idempotencyKey?: string,
) {
  const { table, organisationId } = scope;
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["createWebhook", url, types, description]);
  if (!(await shownBefore(scope, request))) await assertReachable(url);
  return untilWritten(async () => {
    // Read before the count: a creation that the count misses changes the turn, so the write below fails.
    const turn = await nextTurn(scope);
    const { items } = await listItems(table, tableLists.webhooks(organisationId), maximumWebhooks);
    const earlier = await shownBefore(scope, request);
    if (earlier) return earlier;
    if (items.length === maximumWebhooks)
      throw new Problem("conflict", `The organisation already has ${maximumWebhooks} webhooks.`);
    const stored = await newWebhook(scope, { url, types, description }, actor);
    const writes: TransactWrite[] = [
      { put: itemOf(stored), condition: { condition: "attribute_not_exists(PK)" } },
      turn,
      activity(stored, "created", actor, stored.created),
      ...entryOf(scope, request, stored),
    ];
    await transactWrite(table, writes, 0);
    await wake([stored]);
    return shown(scope, stored);
  }, createdMeanwhile);
}

const Turns = z.object({ turn: z.int() });

/** The write of a counter that serialises creation. */
async function nextTurn({ table, organisationId }: WebhookScope): Promise<TransactWrite> {
  const key = itemKeys.webhookTurns(organisationId);
  const item = await getItem(table, key);
  if (!item) return { put: { ...key, turn: 1 }, condition: { condition: "attribute_not_exists(PK)" } };
  const { turn } = Turns.parse(item);
  return { put: { ...key, turn: turn + 1 }, condition: { condition: "turn = :turn", values: { ":turn": turn } } };
}

async function newWebhook(
  { organisationId, table }: WebhookScope,
  settings: Pick<Webhook, "url" | "types" | "description">,
  { name }: Actor,
): Promise<StoredWebhook> {
  const position = changePositions(organisationId).at(typesOf(settings), await acceptedUntil(table));
  const created = timeOf(table);
  const webhook = {
    ...settings,
    ...withoutFailure,
    id: timeOrderedId(created),
    organisation_id: organisationId,
    status: "active" as const,
    created,
    created_by: name,
    position,
    delivered_until: null,
    next_attempt: null,
    claim_id: null,
    claimed_until: null,
    secret_version: 1,
    earlier_secret_until: null,
    revision: 1,
  };
  return pollSoon(webhook, Date.parse(created));
}

/** Makes a new secret, unless this request has made it before. @throws Problem `not_found`, `conflict` */
export function rotateSecret(scope: WebhookScope, id: string, actor: Actor, idempotencyKey?: string) {
  const request = idempotencyKeyOf(actor.subject, idempotencyKey, ["rotateWebhookSecret", id]);
  return untilWritten(async () => {
    const before = await getWebhook(scope, id);
    const earlier = await shownBefore(scope, request);
    if (earlier) return earlier;
    const { secret_version, earlier_secret_until: until } = before;
    if (until !== null && until > timeOf(scope.table)) throw new Problem("conflict", stillSigns(until));
    const earlier_secret_until = timeOf(scope.table, earlierSecretMs);
    const after = { ...before, secret_version: secret_version + 1, earlier_secret_until };
    const also = entryOf(scope, request, after);
    return shown(scope, await writeChange(scope, before, after, { action: "secret_rotated", actor, also }));
  }, changedMeanwhile);
}

function stillSigns(until: string): string {
  return `The earlier secret still signs until ${until}. To rotate now, first end it with PATCH and {"earlier_secret_until":null}.`;
}

/** The part of a response that a repetition needs. */
const Shown = z.object({ id: z.string(), secret_version: z.int() });

function entryOf(
  { organisationId, table }: WebhookScope,
  request: IdempotencyKey | undefined,
  { id, secret_version }: StoredWebhook,
): TransactWrite[] {
  return request ? [idempotencyEntry(organisationId, request, { id, secret_version }, table.clock)] : [];
}

/** The response to an earlier try of the same request. @throws Problem `conflict` if it is not valid any more, `idempotency_mismatch` */
async function shownBefore(scope: WebhookScope, request: IdempotencyKey | undefined) {
  if (!request) return undefined;
  const { table, organisationId } = scope;
  const item = await getItem(table, itemKeys.idempotency(organisationId, request.hash));
  const entry = replayOf(item, request, Shown, table.clock);
  if (!entry) return undefined;
  const stored = await readWebhook(table, organisationId, entry.id);
  if (!stored) throw new Problem("conflict", deletedSince);
  if (stored.secret_version !== entry.secret_version) throw new Problem("conflict", replacedSince);
  return shown(scope, stored, true);
}

async function shown(
  { organisationId, table, sender: { mac } }: WebhookScope,
  stored: StoredWebhook,
  isReplayed = false,
) {
  const { id: webhookId, secret_version: version } = stored;
  const secret = await signingSecret(mac, { organisationId, webhookId, version });
  return { webhook: { ...publicWebhook(stored, table), secret }, isReplayed };
}
