import * as z from "zod";
import type { Actor } from "../audit/activityRepository.ts";
import { changePositions } from "../changes/changeRepository.ts";
import { Problem } from "../problem.ts";
import { acceptedUntil } from "../records/changeTime.ts";
import { idempotencyKeyOf } from "../records/idempotency.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { partitions } from "../table/lists.ts";
import { getItem, listItems } from "../table/reads.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { timeOrderedId } from "../values/timeOrderedId.ts";
import { shown, shownBefore, shownEntry } from "./secretResponse.ts";
import { itemOf, pollSoon, type StoredWebhook, typesOf, withoutFailure } from "./storedWebhook.ts";
import { wake } from "./wakeUp.ts";
import { maximumWebhooks, type Webhook, type WebhookInput } from "./webhook.ts";
import { activity, assertReachable, timeOf, untilWritten, type WebhookScope } from "./webhookWrites.ts";

const createdMeanwhile = "Other webhooks are being created concurrently. Retry the request.";

/**
 * Creates a webhook that begins with the changes from now on. The same request with the same Idempotency-Key within 24 hours returns the same
 * webhook and secret.
 * @throws Problem `invalid_request` if the host is not public.
 * @throws Problem `conflict` if the organisation has too many, or the secret of the Idempotency-Key was replaced.
 * @throws Problem `idempotency_mismatch`
 */
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
    // Read the lock before counting: if another webhook is created meanwhile, the lock changes and our write is refused.
    const lock = await countLock(scope);
    const { items } = await listItems(table, partitions.webhooks(organisationId), maximumWebhooks);
    const earlier = await shownBefore(scope, request);
    if (earlier) return earlier;
    if (items.length === maximumWebhooks)
      throw new Problem("conflict", `The organisation already has ${maximumWebhooks} webhooks.`);
    const stored = await newWebhook(scope, { url, types, description }, actor);
    const writes: TransactWrite[] = [
      { put: itemOf(stored), condition: { condition: "attribute_not_exists(PK)" } },
      lock,
      activity(stored, "created", actor, stored.created),
      ...shownEntry(scope, request, stored),
    ];
    await transactWrite(table, writes, 0);
    await wake([stored]);
    return shown(scope, stored);
  }, createdMeanwhile);
}

const WebhookCount = z.object({ revision: z.int() });

/** The write of the lock of the webhooks' count: each creation increases its revision. */
async function countLock({ table, organisationId }: WebhookScope): Promise<TransactWrite> {
  const key = itemKeys.webhookCount(organisationId);
  const item = await getItem(table, key);
  if (!item) return { put: { ...key, revision: 1 }, condition: { condition: "attribute_not_exists(PK)" } };
  const { revision } = WebhookCount.parse(item);
  const isUnchanged = { condition: "revision = :revision", values: { ":revision": revision } };
  return { put: { ...key, revision: revision + 1 }, condition: isUnchanged };
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
    next_poll: null,
    claim_id: null,
    claimed_until: null,
    secret_version: 1,
    text_secret_from: 1,
    earlier_secret_until: null,
    revision: 1,
  };
  return pollSoon(webhook, Date.parse(created));
}
