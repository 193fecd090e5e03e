import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { handler as authorize } from "../../../functions/keys/apiKeyAuthorizer.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { KeyFailure } from "../../../functions/keys/keyUsage.ts";
import { countKeyDay } from "../../../functions/keys/keyUsageRepository.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { countItems } from "../../../functions/summaries/countRecords.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { backOff, retryWhileUnavailable } from "../../../functions/table/retries.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { itemOf, type StoredWebhook, withoutFailure } from "../../../functions/webhooks/storedWebhook.ts";
import { WebhookDelivery } from "../../../functions/webhooks/webhook.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { anyRecord } from "../../support/data/records.ts";
import { unusedUrl } from "../../support/http/send.ts";

const change = fc.record({
  type: fc.constantFrom(...recordTypes),
  id: fc.constantFrom(1, 2, 10, Number.MAX_SAFE_INTEGER),
  text: fc.string({ unit: "grapheme", maxLength: 5 }),
  version: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  isDeletion: fc.boolean(),
});

/** Sequences of records and deletions of any type. */
export const changes = fc.array(change, { maxLength: 12 });
type Changes = (typeof changes extends fc.Arbitrary<infer Value> ? Value : never)[number][];

/** Stores them as the feed does. */
export async function store(organisationId: number, list: Changes): Promise<void> {
  for (const { type, id, text, version, isDeletion } of list) {
    const item = isDeletion
      ? tombstone({ type, organisation_id: organisationId, id, deleted: true, version: version ?? 0 })
      : recordItem({ ...anyRecord(type, organisationId, id, text), version });
    await upsertRecord(openTable(), item);
  }
}

const actor = { name: "ada@riverside.example", subject: "0c1f6d0e" };

/**
 * Gives an organisation one item of every kind, including a tombstone and a summary.
 * @returns the secret of its active key.
 */
export async function fill(organisationId: number): Promise<string> {
  const table = openTable();
  // A busy machine may respond too slowly to set the clock.
  const pause = backOff(new AbortController().signal);
  for (const type of recordTypes) {
    const item = recordItem(anyRecord(type, organisationId, 1, "one"));
    await retryWhileUnavailable(() => upsertRecord(table, item), pause);
  }
  await upsertRecord(
    table,
    tombstone({ type: "event", organisation_id: organisationId, id: 2, deleted: true, version: 4 }),
  );
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: "once" };
  await balanceRepository(organisationId, table).record(1, { type: "payment", amount: 5 }, recorder);
  await orderNoteRepository(organisationId, table).set(1, "Wheelchair place");
  const { PK, SK } = recordItem(anyRecord("order", organisationId, 1, "one"));
  await countItems(table, [{ key: { PK, SK }, owners: [PK] }], async () => undefined);
  const apiKeys = apiKeyRepository(organisationId, table);
  const { stored } = await apiKeys.create("Old", [], actor);
  await apiKeys.revoke(stored.id, actor);
  const { key } = await apiKeys.create("Nightly sync", ["write:orders"], actor, randomUUID());
  const time = new Date().toISOString();
  const failed = { ...exampleOf(KeyFailure), organisation_id: organisationId, key_id: stored.id, time };
  await countKeyDay(table, "batch", [failed]);
  const sender = { mac: async () => Buffer.alloc(32), post: () => assert.fail("Nothing is sent.") };
  const { webhook } = await webhookRepository(organisationId, table, sender).create({ url: unusedUrl }, actor);
  const attempt = { ...exampleOf(WebhookDelivery), message_id: "msg_1" };
  await putItem(table, { ...itemKeys.webhookDelivery(organisationId, webhook.id, attempt.id), ...attempt });
  return key;
}

/** A webhook whose receiver has failed. */
export const failing = {
  failures: 3,
  failing_since: "2026-01-01T00:00:00.000Z",
  next_poll: "2126-01-02T00:00:00.000Z",
};

/** The next poll of a webhook that waits for a change. */
export const idleUntil = "2126-01-20T00:00:00.000Z";

/** Stores an active webhook that has nothing to do. */
export async function putWebhook(organisationId: number, fields: Partial<StoredWebhook> = {}): Promise<StoredWebhook> {
  const created = new Date().toISOString();
  const stored: StoredWebhook = {
    ...{ id: timeOrderedId(created), organisation_id: organisationId, url: unusedUrl, description: null, types: null },
    ...{ status: "active", created, created_by: "Ada", position: "", delivered_until: null, claim_id: null },
    ...{
      ...withoutFailure,
      secret_version: 1,
      text_secret_from: 1,
      earlier_secret_until: null,
      claimed_until: null,
      revision: 1,
    },
    next_poll: fields.status === "paused" ? null : idleUntil,
    ...fields,
  };
  await putItem(openTable(), itemOf(stored));
  return stored;
}

/** True if the authorizer accepts the key. */
export async function isAccepted(key: string): Promise<boolean> {
  const methodArn = "arn:aws:execute-api:eu-west-1:123456789012:abc/prod/GET/v1/key";
  const { policyDocument } = await authorize({ type: "TOKEN", authorizationToken: `Bearer ${key}`, methodArn });
  return policyDocument.Statement.every(({ Effect }) => Effect === "Allow");
}

/** All that an erasure leaves of a revoked API key. */
export const isRevokedHash = ({ PK, SK: _, status, ...more }: Record<string, unknown>) =>
  /^KEYHASH#[0-9a-f]{64}$/.test(String(PK)) && status === "revoked" && Object.keys(more).length === 0;
