import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../functions/endpoints/deleteWebhook.ts";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { WebhookTest, WebhookWithSecret } from "../../functions/webhooks/webhook.ts";
import { faultyProxy } from "../guides/faultyProxy.ts";
import { withId } from "../support/http/examples.ts";
import { send, textOf } from "../support/http/send.ts";
import { adminOne, baseUrl, changesShown, writerOne } from "../support/service/testedService.ts";
import { until } from "../support/service/until.ts";
import { startN8n, Workflow } from "./n8n.ts";

// Not part of `npm test`, because n8n's nodes are downloaded.
const n8n = await startN8n();
const proxy = await faultyProxy(baseUrl);
const served = await send(`${baseUrl}/clients/n8n-workflows.json`);
const types = "order,ticket";

/** The served workflow, with what its reader fills in. Requests go through the proxy, every second of which fails, and retries do not wait. */
function workflow(secret = "") {
  const text = textOf(served).replaceAll(baseUrl, proxy.baseUrl).replaceAll('"value":"100"', '"value":"10"');
  const read = Workflow.parse(JSON.parse(text.replaceAll('"waitBetweenTries":5000', '"waitBetweenTries":1')));
  const ids: Record<string, string> = { httpBearerAuth: writerOne.credential, crypto: secret };
  for (const { credentials = {} } of read.nodes)
    for (const [type, credential] of Object.entries(credentials)) credential.id = ids[type] ?? assert.fail(type);
  return read;
}

function workflowWith(before: string, after: string): Workflow {
  const text = JSON.stringify(workflow());
  assert.ok(text.includes(before));
  return Workflow.parse(JSON.parse(text.replace(before, after)));
}

/** Replaces a node by one that fails. */
function withFailure(broken: Workflow, name: string): Workflow {
  const node = broken.nodes.find((one) => one.name === name) ?? assert.fail(name);
  Object.assign(node, { type: "n8n-nodes-base.stopAndError", parameters: { errorMessage: "Not today." } });
  return broken;
}

async function changeOrder(): Promise<{ id: number | string; admin_note: string }> {
  const [{ id = assert.fail() } = assert.fail()] = await writerOne.rows("/v1/orders");
  const admin_note = `n8n ${randomUUID()}`;
  const { status } = await writerOne.call(updateOrder, `/v1/orders/${id}`, { body: JSON.stringify({ admin_note }) });
  assert.equal(status, 200);
  const isShown = async () => JSON.stringify(await writerOne.rows(`/v1/changes?types=${types}`)).includes(admin_note);
  await until(isShown);
  return { id, admin_note };
}

beforeAll(changesShown);

test("the workflow needs no key to fetch, and five tries with 5,000 ms between them for each request", () => {
  assert.equal(served.status, 200);
  const requests = Workflow.parse(JSON.parse(textOf(served))).nodes.filter(({ type }) => type.endsWith("httpRequest"));
  assert.equal(requests.length, 4);
  for (const { retryOnFail, maxTries, waitBetweenTries } of requests)
    assert.deepEqual([retryOnFail, maxTries, waitBetweenTries], [true, 5, 5_000]);
});

const Row = z.looseObject({ id: z.number(), tickets: z.array(z.unknown()) });
type Row = z.infer<typeof Row>;
const byId = (rows: Row[]) => rows.toSorted((a, b) => a.id - b.id);

test.each([
  ["those of more than 100 tickets one by one", workflow()],
  ["each one by one", workflowWith("!$json.has_more_tickets", "false")],
])("reads all orders with all their tickets, %s, although every second request fails", async (_, one) => {
  const { items, error } = await n8n.run(one, "Read all orders");
  assert.equal(error, undefined);
  const expected: Row[] = [];
  for (const { id } of await writerOne.rows("/v1/orders"))
    expected.push(Row.parse(await writerOne.json(`/v1/orders/${id}`)));
  assert.ok(expected.length >= 33 && (items["Get a page of orders"]?.length ?? 0) > 1);
  assert.ok(expected.some(({ tickets }) => tickets.length > 100));
  const used = z.array(Row).parse(items["Use each order"]);
  assert.deepEqual(byId(used), byId(expected));
});

describe("the changes", () => {
  test("are all read in the first run, and only the new ones in the next", async () => {
    const state = { staticData: {} };
    const first = await n8n.run(workflow(), "Each night", state);
    assert.equal(first.error, undefined);
    const expected = await writerOne.rows(`/v1/changes?types=${types}`);
    assert.deepEqual(first.items["Use each change"], expected);
    const { items: without } = await n8n.run(workflow(), "Each night", state);
    assert.equal(without["Use each change"], undefined);
    const { id, admin_note } = await changeOrder();
    const { items } = await n8n.run(workflow(), "Each night", state);
    const [change, ...others] = items["Use each change"] ?? [];
    assert.deepEqual(others, []);
    const { data } = z.object({ data: z.object({ id: z.unknown(), admin_note: z.string() }) }).parse(change);
    assert.deepEqual(data, { id, admin_note });
  });

  test("of a page that a node failed to use are read again", async () => {
    const state = { staticData: {} };
    const failed = await n8n.run(withFailure(workflow(), "Use each change"), "Each night", state);
    assert.match(String(failed.error), /Not today/);
    const { items } = await n8n.run(workflow(), "Each night", state);
    assert.deepEqual(items["Use each change"], await writerOne.rows(`/v1/changes?types=${types}`));
  });
});

describe("a message", () => {
  let webhook: ReturnType<typeof WebhookWithSecret.parse>;
  const used = async () =>
    (await n8n.executions()).flatMap(({ items }) => items["Use each change of the message"] ?? []);

  beforeAll(async () => {
    const body = JSON.stringify({ url: n8n.webhookUrl, types: ["order"] });
    const created = await adminOne.call(createWebhook, createWebhook.path, { body });
    webhook = WebhookWithSecret.parse(JSON.parse(textOf(created)));
    const asText = Buffer.from(webhook.secret.replace("whsec_", ""), "base64").toString();
    await n8n.activate(workflow(asText), "Message");
  });
  afterAll(async () => {
    await adminOne.call(deleteWebhook, withId(deleteWebhook, webhook.id));
  });

  test("of the service is accepted, and its change is passed on", async () => {
    const tested = await adminOne.call(testWebhook, withId(testWebhook, webhook.id));
    assert.equal(WebhookTest.parse(JSON.parse(textOf(tested))).status, 204);
    const { id } = await changeOrder();
    await until(async () => (await used()).length > 0);
    assert.deepEqual(
      (await used()).map((change) => change.id),
      [id],
    );
    for (const { error } of await n8n.executions()) assert.equal(error, undefined);
  });

  test("of another secret, another body, more than five minutes ago or without a signature is refused", async () => {
    const [before, now] = [await used(), new Date()];
    const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const body = JSON.stringify({ type: "changes", data: { changes: [{ type: "event", id: 1, text: "Zoë" }] } });
    assert.equal(await post(other, now, body), 400);
    assert.equal(await post(webhook.secret, new Date(now.getTime() - 301_000), body), 400);
    assert.equal(await post(webhook.secret, now, body, body.replace("event", "order")), 400);
    assert.equal((await send(n8n.webhookUrl, { method: "POST", body })).status, 400);
    assert.deepEqual(await used(), before);
    assert.equal(await post(webhook.secret, now, body), 204);
  });
});

/** Posts a message with two signatures, as after a rotation of the secret. @returns the status. */
async function post(secret: string, time: Date, signed: string, sent = signed): Promise<number> {
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(time.getTime() / 1_000)),
    "webhook-signature": `v1,AAAA ${new Webhook(secret).sign("msg_1", time, signed)}`,
  };
  return (await send(n8n.webhookUrl, { method: "POST", headers, body: sent })).status;
}

test("each payment is recorded once, although every second request fails and the workflow runs twice", async () => {
  const given = workflow();
  const [{ json: payment } = assert.fail()] = given.pinData.Payments ?? [];
  const ids: string[] = [randomUUID(), randomUUID(), randomUUID()];
  const items = ids.map((id) => ({ ...payment, id }));
  for (const time of ["first", "second"]) {
    const { items: used, error } = await n8n.run(given, "Payments", { items, staticData: {} });
    assert.equal(error, undefined, time);
    const recorded = await writerOne.rows(`/v1/events/${payment.event_id}/balance-payments`);
    const ours = recorded.filter((one) => ids.includes(String(one.external_reference))).reverse();
    assert.deepEqual(used["Use the recorded payments"], ours);
    assert.equal(ours.length, ids.length);
  }
});
