import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "@jest/globals";
import { Activity } from "../../functions/audit/activityRepository.ts";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { getWebhook } from "../../functions/endpoints/getWebhook.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { replayWebhook } from "../../functions/endpoints/replayWebhook.ts";
import { rotateWebhookSecret } from "../../functions/endpoints/rotateWebhookSecret.ts";
import { updateWebhook } from "../../functions/endpoints/updateWebhook.ts";
import { Webhook, WebhookWithSecret } from "../../functions/webhooks/webhook.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { withId } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { ownOrganisation } from "../support/service/ownOrganisation.ts";

const { admin } = await ownOrganisation("webhooks");
const created = async () => WebhookWithSecret.parse(JSON.parse(textOf(await create())));
const create = (headers = {}) => admin.call(createWebhook, createWebhook.path, { headers });
const rotate = (id: string, key: string) =>
  admin.call(rotateWebhookSecret, withId(rotateWebhookSecret, id), { headers: { "Idempotency-Key": key } });
const end = (id: string) => admin.call(deleteWebhook, withId(deleteWebhook, id));

test("a creation sent again with the same Idempotency-Key returns the same webhook and secret", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const [first, again] = [await create(headers), await create(headers)];
  assert.deepEqual([first.status, again.status, again.headers["idempotency-replayed"]], [201, 201, "true"]);
  assert.equal(textOf(first), textOf(again));
  const { secret, ...webhook } = WebhookWithSecret.parse(JSON.parse(textOf(first)));
  const path = withId(getWebhook, webhook.id);
  assert.equal(first.headers.location, path);
  assert.deepEqual(Webhook.parse(await admin.json(path)), webhook);
  await rotate(webhook.id, randomUUID());
  assertProblem(await create(headers), "conflict");
  await end(webhook.id);
});

test("a rotation makes a new secret, and another gets 409 until the earlier secret has ended", async () => {
  const { id, secret } = await created();
  const key = randomUUID();
  const [rotated, again] = [await rotate(id, key), await rotate(id, key)];
  assert.deepEqual([rotated.status, again.headers["idempotency-replayed"]], [200, "true"]);
  assert.equal(textOf(rotated), textOf(again));
  assert.notEqual(WebhookWithSecret.parse(JSON.parse(textOf(rotated))).secret, secret);
  assertProblem(await rotate(id, randomUUID()), "conflict");
  const ended = await admin.call(updateWebhook, withId(updateWebhook, id), {
    body: '{"earlier_secret_until":null}',
  });
  assert.equal(ended.status, 200);
  assert.equal((await rotate(id, randomUUID())).status, 200);
  await end(id);
});

test("a webhook is paused, replayed and deleted, which the activity lists", async () => {
  const { secret: _, ...webhook } = await created();
  const path = withId(updateWebhook, webhook.id);
  const paused = await admin.call(updateWebhook, path, { body: '{"status":"paused","types":null}' });
  assert.deepEqual(JSON.parse(textOf(paused)), { ...webhook, status: "paused", types: null, next_attempt: null });
  const body = JSON.stringify({ from: new Date(Date.now() - 60_000).toISOString() });
  assert.equal((await admin.call(replayWebhook, withId(replayWebhook, webhook.id), { body })).status, 200);
  const deleted = await end(webhook.id);
  assert.deepEqual([deleted.status, textOf(deleted)], [204, ""]);
  assertProblem(await end(webhook.id), "not_found");
  const activity = Activity.array().parse(await admin.rows(listApiKeyActivity.path));
  const actions = activity.flatMap(({ webhook_id, action }) => (webhook_id === webhook.id ? [action] : []));
  assert.deepEqual(actions, ["deleted", "replayed", "changed", "created"]);
});
