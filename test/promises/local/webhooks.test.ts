import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { createWebhook } from "../../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../../functions/endpoints/deleteWebhook.ts";
import { testWebhook } from "../../../functions/endpoints/testWebhook.ts";
import { updateOrder } from "../../../functions/endpoints/updateOrder.ts";
import { WebhookTest, WebhookWithSecret } from "../../../functions/webhooks/webhook.ts";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";
import { examplePaths, withId } from "../../support/http/examples.ts";
import { textOf } from "../../support/http/send.ts";
import { ownOrganisation } from "../../support/service/ownOrganisation.ts";

const { admin, writer } = await ownOrganisation("localWebhooks");
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
/** A part of the message that gets 410. */
let goneAt: string | undefined;
const receiver = createServer(async (incoming, outgoing) => {
  const body = await text(incoming);
  received.push({ headers: incoming.headers, body });
  outgoing.writeHead(goneAt !== undefined && body.includes(goneAt) ? 410 : 200).end("thanks");
});
let webhook: ReturnType<typeof WebhookWithSecret.parse>;
const path = () => withId({ path: deleteWebhook.path }, webhook.id);
const latest = () => {
  const { headers, body } = received.at(-1) ?? { headers: {}, body: "" };
  return Object(new Webhook(webhook.secret).verify(body, Object(headers)));
};

beforeAll(async () => {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const body = JSON.stringify({ url: `http://127.0.0.1:${portOf(receiver)}/`, types: ["order"] });
  const created = await admin.call(createWebhook, createWebhook.path, { body });
  webhook = WebhookWithSecret.parse(JSON.parse(textOf(created)));
});
afterAll(async () => {
  await admin.call(deleteWebhook, path());
  receiver.close();
  receiver.closeAllConnections();
});

test("Test sends a test message now, and shows the response", async () => {
  const answer = await admin.call(testWebhook, withId(testWebhook, webhook.id));
  const { duration_ms, ...outcome } = WebhookTest.parse(JSON.parse(textOf(answer)));
  assert.deepEqual(outcome, { status: 200, error: null, sent: true, response: "thanks" });
  assert.ok(duration_ms < 10_000);
  assert.deepEqual([latest().type, latest().data], ["test", { organisation_id: admin.organisationId }]);
});

test("a change is sent in a signed message, and a 410 disables the webhook at once", async () => {
  const [order = ""] = await examplePaths(updateOrder, writer);
  const body = JSON.stringify({ admin_note: `Webhook ${webhook.id}` });
  assert.equal((await writer.call(updateOrder, order, { body })).status, 200);
  goneAt = `{"type":"order","id":${order.split("/").at(-1)},`;
  while (Object(await admin.json(path())).status !== "disabled") await wait(50);
  assert.equal(latest().type, "changes");
  // The attempt is recorded after the webhook's new state.
  let attempts: Awaited<ReturnType<typeof admin.rows>>;
  do attempts = await admin.rows(`${path()}/deliveries`);
  while (attempts[0]?.status !== 410);
  assert.equal(attempts[0].attempt, 1);
});
