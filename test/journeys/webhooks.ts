import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "@jest/globals";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { getWebhook } from "../../functions/endpoints/getWebhook.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { replayWebhook } from "../../functions/endpoints/replayWebhook.ts";
import { rotateWebhookSecret } from "../../functions/endpoints/rotateWebhookSecret.ts";
import { updateWebhook } from "../../functions/endpoints/updateWebhook.ts";
import { Activity } from "../../functions/keys/activityRepository.ts";
import { Webhook, WebhookWithSecret } from "../../functions/webhooks/webhook.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { withId } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { adminOne, adminTwo } from "../support/service/journeyService.ts";

test("a webhook is created once however often its request is repeated, changed, rotated, replayed and deleted", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const [first, again] = [await create(headers), await create(headers)];
  assert.deepEqual([first.status, again.status, again.headers["idempotency-replayed"]], [201, 201, "true"]);
  assert.equal(textOf(first), textOf(again));
  const { secret, ...webhook } = WebhookWithSecret.parse(JSON.parse(textOf(first)));
  const path = withId(getWebhook, webhook.id);
  assert.equal(first.headers.location, path);
  assert.deepEqual(Webhook.parse(await adminOne.json(path)), webhook);
  assertProblem(await adminTwo.get(path), "not_found");

  const paused = await adminOne.call(updateWebhook, path, { body: '{"status":"paused","types":null}' });
  assert.deepEqual(JSON.parse(textOf(paused)), { ...webhook, status: "paused", types: null, next_attempt: null });
  const rotation = withId(rotateWebhookSecret, webhook.id);
  const rotate = (key: string) => adminOne.call(rotateWebhookSecret, rotation, { headers: { "Idempotency-Key": key } });
  const key = randomUUID();
  const [rotated, rotatedAgain] = [await rotate(key), await rotate(key)];
  assert.deepEqual([rotated.status, rotatedAgain.headers["idempotency-replayed"]], [200, "true"]);
  assert.equal(textOf(rotated), textOf(rotatedAgain));
  assert.notEqual(WebhookWithSecret.parse(JSON.parse(textOf(rotated))).secret, secret);
  assertProblem(await create(headers), "conflict");
  assertProblem(await rotate(randomUUID()), "conflict");
  assert.equal((await adminOne.call(updateWebhook, path, { body: '{"earlier_secret_until":null}' })).status, 200);
  const from = JSON.stringify({ from: new Date(Date.now() - 60_000).toISOString() });
  assert.equal((await adminOne.call(replayWebhook, withId(replayWebhook, webhook.id), { body: from })).status, 200);

  assertProblem(await adminTwo.call(deleteWebhook, path), "not_found");
  const deleted = await adminOne.call(deleteWebhook, path);
  assert.deepEqual([deleted.status, textOf(deleted)], [204, ""]);
  assertProblem(await adminOne.call(deleteWebhook, path), "not_found");
  const activity = Activity.array().parse(await adminOne.rows(listApiKeyActivity.path));
  assert.deepEqual(
    activity.filter(({ webhook_id }) => webhook_id === webhook.id).map(({ action }) => action),
    ["deleted", "replayed", "earlier_secret_ended", "secret_rotated", "changed", "created"],
  );
});

const create = (headers: Record<string, string>) => adminOne.call(createWebhook, createWebhook.path, { headers });
