import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "@jest/globals";
import * as z from "zod";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { listEventBalancePayments } from "../../functions/endpoints/listEventBalancePayments.ts";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { WebhookTest } from "../../functions/webhooks/webhook.ts";
import { faultyProxy } from "../guides/faultyProxy.ts";
import { examplePaths, withId } from "../support/http/examples.ts";
import { send, textOf } from "../support/http/send.ts";
import { expiredCursor } from "../support/service/integratorStage.ts";
import { adminOne, baseUrl, changesShown, localTable, one, writerOne } from "../support/service/testedService.ts";
import { until } from "../support/service/until.ts";
import { startNodeRed } from "./nodeRed.ts";

const guide = await readFile("docs/integrators/guides/automation.md", "utf8");
const [, settings = assert.fail()] = /```js\n +(contextStorage: .*)\n/.exec(guide) ?? [];
const proxy = await faultyProxy(baseUrl);
const nodeRed = await startNodeRed(settings);
afterAll(() => nodeRed.stop());

const created = await adminOne.call(createWebhook, createWebhook.path, {
  body: JSON.stringify({ url: `http://localhost:${nodeRed.port}/ticketing`, types: ["order"] }),
});
const webhook = z.object({ id: z.string(), secret: z.string() }).parse(JSON.parse(textOf(created)));
afterAll(async () => void (await adminOne.call(deleteWebhook, withId(deleteWebhook, webhook.id))));

const Flow = z.array(
  z.looseObject({ id: z.string(), type: z.string(), wires: z.array(z.array(z.string())).default([]) }),
);
const served = Flow.parse(await one.json("/clients/node-red-flow.json"));

/** The flow with the reader's settings, and Function nodes of the reader in place of other nodes, by id. */
function filledIn(
  functions: Record<string, string>,
  values = { API_KEY: writerOne.credential, WEBHOOK_SECRET: webhook.secret },
) {
  return served.map((node) => {
    const func = functions[node.id];
    if (func !== undefined) return { ...node, type: "function", func, outputs: 1, libs: [{ var: "fs", module: "fs" }] };
    if (node.type !== "tab") return node;
    const Env = z.array(z.object({ name: z.string(), value: z.string(), type: z.string() }));
    const env = Env.parse(node.env).map((one) => (one.name === "BASE_URL" ? { ...one, value: proxy.baseUrl } : one));
    return { ...node, env, credentials: values };
  });
}

const fileOf = (id: string) => join(nodeRed.directory, `${id}.ndjson`);
/** Code that appends the messages to a file. */
const recording = (id: string) =>
  `fs.appendFileSync(${JSON.stringify(fileOf(id))}, JSON.stringify(msg.payload) + "\\n"); return msg;`;
const recordingAll = Object.fromEntries(
  ["orders-result", "changes-store", "webhook-result", "payments-result"].map((id) => [id, recording(id)]),
);

/** The messages that a node has recorded. */
async function recorded(id: string): Promise<unknown[]> {
  const text = await readFile(fileOf(id), "utf8").catch(() => "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const Rows = z.array(z.looseObject({ id: z.number() }));
const Changes = z.array(
  z.object({ key: z.string(), data: z.looseObject({ admin_note: z.string().nullish() }).nullable() }),
);
const changesIn = async (id: string) => (await recorded(id)).flatMap((page) => Changes.parse(page));
const keysOf = (rows: { [name: string]: unknown }[]) => rows.map(({ key }) => key);

/** Changes an order, and waits until readers see it. @returns the key of the change. */
async function changeOrder(note: string): Promise<string> {
  const [order = ""] = await examplePaths(updateOrder, writerOne);
  const answer = await writerOne.call(updateOrder, order, { body: JSON.stringify({ admin_note: note }) });
  assert.equal(answer.status, 200);
  let key: string | undefined;
  await until(async () => {
    const rows = Changes.parse(await one.rows("/v1/changes?types=order"));
    key = rows.find(({ data }) => data?.admin_note === note)?.key;
    return key !== undefined;
  });
  return key ?? assert.fail();
}

beforeAll(() => nodeRed.deploy(filledIn(recordingAll)));

test("all orders arrive with all of their tickets, despite 429 and 503 on every second request", async () => {
  proxy.state.perPage = 10;
  await nodeRed.press("orders-start");
  const orders = await one.rows("/v1/orders?expand=tickets");
  const arrived = async () => (await recorded("orders-result")).flatMap((page) => Rows.parse(page));
  await until(async () => (await arrived()).length === orders.length);
  assert.ok((await recorded("orders-result")).length > orders.length / 10);
  for (const { has_more_tickets, tickets, ...order } of await arrived()) {
    assert.equal(has_more_tickets, undefined);
    assert.deepEqual(tickets, await one.rows(`/v1/orders/${order.id}/tickets`));
    const { tickets: _, has_more_tickets: __, ...expected } = orders.find(({ id }) => id === order.id) ?? {};
    assert.deepEqual(order, expected);
  }
});

test("no change is lost or repeated if the last node fails at a page", async () => {
  await changesShown();
  proxy.state.perPage = 200;
  const failingOnce = `
    const runs = (context.get("runs") || 0) + 1;
    context.set("runs", runs);
    if (runs === 2) throw new Error("The last node fails.");
    ${recording("changes-store")}`;
  await nodeRed.deploy(filledIn({ ...recordingAll, "changes-store": failingOnce }));
  await nodeRed.press("changes-start");
  await nodeRed.printed("The last node fails.");
  assert.equal((await changesIn("changes-store")).length, 200);
  const all = keysOf(await one.rows("/v1/changes"));
  await nodeRed.press("changes-start");
  await until(async () => (await changesIn("changes-store")).length >= all.length);
  assert.deepEqual(keysOf(await changesIn("changes-store")), all);
});

test("a later run gets only new changes, even after a restart", async () => {
  await nodeRed.deploy(filledIn(recordingAll));
  await nodeRed.press("changes-start");
  const all = keysOf(await one.rows("/v1/changes"));
  await until(async () => (await changesIn("changes-store")).length === all.length);
  await nodeRed.restart();
  const changed = await changeOrder("Node-RED follows the changes");
  await nodeRed.press("changes-start");
  await until(async () => keysOf(await changesIn("changes-store")).includes(changed));
  const later = keysOf(await changesIn("changes-store")).slice(all.length);
  assert.deepEqual(later, keysOf(await one.rows("/v1/changes")).slice(-later.length));
  assert.ok(later.every((key) => !all.includes(key)));
});

test("after 410, the copy is emptied before all changes are read again", async () => {
  await nodeRed.deploy(
    filledIn({
      ...recordingAll,
      "changes-empty": `fs.rmSync(${JSON.stringify(fileOf("changes-store"))}); return msg;`,
    }),
  );
  localTable();
  const cursor = await expiredCursor(one.organisationId);
  const context = join(nodeRed.directory, "context/ticketing/flow.json");
  await nodeRed.restart(() => writeFile(context, JSON.stringify({ cursor })));
  await nodeRed.press("changes-start");
  const all = keysOf(await one.rows("/v1/changes"));
  await until(async () => (await changesIn("changes-store")).length === all.length);
  assert.deepEqual(keysOf(await changesIn("changes-store")), all);
});

test("a message of the service is accepted, and its changes arrive", async () => {
  const answer = await adminOne.call(testWebhook, withId(testWebhook, webhook.id));
  assert.equal(WebhookTest.parse(JSON.parse(textOf(answer))).status, 204);
  const changed = await changeOrder("Node-RED gets a message");
  const Message = z.object({ data: z.object({ changes: z.array(z.object({ key: z.string() })).default([]) }) });
  const messages = async () => (await recorded("webhook-result")).map((message) => Message.parse(message));
  await until(async () => (await messages()).some(({ data }) => data.changes.some(({ key }) => key === changed)));
});

const receiver = `http://127.0.0.1:${nodeRed.port}/ticketing`;
const testMessage = JSON.stringify({ type: "test" });

/** Sends a message as the service does. */
function postSigned(sentMs: number, key: Buffer, signed = testMessage) {
  const timestamp = String(Math.floor(sentMs / 1_000));
  const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${signed}`).digest("base64");
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return send(receiver, { method: "POST", headers, body: testMessage });
}

test("a forged, altered or old message gets 400", async () => {
  const [now, key] = [Date.now(), Buffer.from(webhook.secret.replace("whsec_", ""), "base64")];
  assert.equal((await postSigned(now, key)).status, 204);
  for (const answer of [
    postSigned(now, Buffer.alloc(32, 1)),
    postSigned(now, key, "{}"),
    postSigned(now - 6 * 60 * 1_000, key),
    send(receiver, { method: "POST" }),
  ])
    assert.equal((await answer).status, 400);
});

test("a payment is recorded once, although its button is pressed three times", async () => {
  for (let times = 0; times < 3; times++) await nodeRed.press("payments-start");
  await until(async () => (await recorded("payments-result")).length === 3);
  const Payment = z.object({ id: z.number(), event_id: z.number(), external_reference: z.string() });
  const [payment = assert.fail(), ...repeated] = z.array(Payment).parse(await recorded("payments-result"));
  assert.deepEqual(repeated, [payment, payment]);
  const rows = await one.rows(withId(listEventBalancePayments, payment.event_id));
  assert.equal(rows.filter(({ external_reference }) => external_reference === payment.external_reference).length, 1);
});

test("a failure reaches the Catch node, with the path and the reason", async () => {
  await nodeRed.deploy(filledIn(recordingAll, { API_KEY: "", WEBHOOK_SECRET: "" }));
  await nodeRed.press("orders-start");
  await nodeRed.printed("[debug:Failure] /v1/orders?expand=tickets&per_page=100: 401 ");
});

test("without the secret, every message gets 400, even one signed with an empty key", async () => {
  await nodeRed.deploy(filledIn(recordingAll, { API_KEY: "", WEBHOOK_SECRET: "" }));
  assert.equal((await postSigned(Date.now(), Buffer.alloc(0))).status, 400);
});
