import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { getWebhook } from "../../functions/endpoints/getWebhook.ts";
import { rotateWebhookSecret } from "../../functions/endpoints/rotateWebhookSecret.ts";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import type { Client } from "../support/http/client.ts";
import { examplePaths, withId } from "../support/http/examples.ts";
import { listen } from "../support/http/listen.ts";
import { textOf } from "../support/http/send.ts";

/** A webhook is created through the API and delivered by the deployed function; rotates its secret, and disables it by a 410. */
export async function deliverAndDisable(admin: Client, writer: Client): Promise<void> {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 204;
  const receiver = createServer(async (incoming, outgoing) => {
    received.push({ headers: incoming.headers, body: await text(incoming) });
    outgoing.writeHead(status).end();
  });
  const url = await listen(receiver);
  const body = JSON.stringify({ url, types: ["order"] });
  const created = await admin.call(createWebhook, createWebhook.path, { body });
  assert.equal(created.status, 201, textOf(created));
  const { id, secret } = JSON.parse(textOf(created));
  const [order = ""] = await examplePaths(updateOrder, writer);
  const change = (note: string) =>
    writer.call(updateOrder, order, { body: JSON.stringify({ admin_note: `${id} ${note}` }) });
  /** Changes the order until a message arrives. @returns the message. */
  const message = async (note: string) => {
    const before = received.length;
    assert.equal((await change(note)).status, 200);
    while (received.length === before) await wait(100);
    return received.at(-1) ?? assert.fail();
  };
  const first = await message("first");
  assert.equal(Object(new Webhook(secret).verify(first.body, Object(first.headers))).type, "changes");
  assert.equal(JSON.parse(textOf(await admin.call(testWebhook, withId(testWebhook, id)))).status, 204);
  const rotated = await admin.call(rotateWebhookSecret, withId(rotateWebhookSecret, id));
  status = 410;
  const second = await message("second");
  for (const one of [secret, JSON.parse(textOf(rotated)).secret])
    new Webhook(one).verify(second.body, Object(second.headers));
  const path = withId(getWebhook, id);
  while (Object(await admin.json(path)).status !== "disabled") await wait(100);
  assert.equal((await admin.rows(`${path}/deliveries`))[0]?.status, 410);
  assert.equal((await admin.call(deleteWebhook, path)).status, 204);
}
