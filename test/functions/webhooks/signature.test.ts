import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { KMSClient } from "@aws-sdk/client-kms";
import { jest, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { environmentMac, messageIdOf, signedHeaders, signingSecret } from "../../../functions/webhooks/signature.ts";
import { mac } from "../../support/webhooks/repositories.ts";

const webhook = { organisationId: 1, webhookId: "0mi7c1q2k5f0c2a9d1e4b", version: 1, isText: true };
const textOf = (secret: string) => Buffer.from(secret.slice("whsec_".length), "base64").toString();
const body = '{"type":"changes","data":{"name":"Zoë"}}';

test("a secret's key is a text of 192 bits, another for each organisation, webhook and version", async () => {
  const secret = await signingSecret(mac, webhook);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, version) => textOf(await signingSecret(mac, { ...webhook, version }))),
  );
  assert.equal(new Set(texts).size, texts.length);
  for (const text of texts) assert.match(text, /^[A-Za-z0-9_-]{32}$/);
  // Each position has nearly all of the 64 characters: a fixed one would have fewer bits.
  for (let at = 0; at < 32; at++) assert.ok(new Set(texts.map((text) => text[at])).size > 50, `${at}`);
  assert.equal(await signingSecret(mac, webhook), secret);
  const others = [
    { ...webhook, organisationId: 11 },
    { ...webhook, webhookId: "0mi7c1q2k5f0c2a9d1e4c" },
    { ...webhook, version: 2 },
  ].map((other) => signingSecret(mac, other));
  assert.equal(new Set([secret, ...(await Promise.all(others))]).size, 4);
});

test("the key's text alone, without base64, verifies a message", async () => {
  const secret = await signingSecret(mac, webhook);
  const headers = signedHeaders("msg_1", body, [secret], new Date());
  const signed = `msg_1.${headers["webhook-timestamp"]}.${body}`;
  const signature = createHmac("sha256", textOf(secret)).update(signed).digest("base64");
  assert.equal(headers["webhook-signature"], `v1,${signature}`);
});

test("a message verifies by the public library with each valid secret, and with no other", async () => {
  const secrets = await Promise.all([2, 1].map((version) => signingSecret(mac, { ...webhook, version })));
  const headers = signedHeaders("msg_1", body, secrets, new Date());
  for (const secret of secrets) assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  const revoked = await signingSecret(mac, { ...webhook, version: 3 });
  assert.throws(() => new Webhook(revoked).verify(body, headers), /No matching signature/);
  const [secret = ""] = secrets;
  assert.throws(() => new Webhook(secret).verify(body.replace("Zoë", "Zoe"), headers), /No matching signature/);
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "msg_2" }), /No matching signature/);
  const old = signedHeaders("msg_1", body, secrets, new Date(Date.now() - 10 * 60_000));
  assert.throws(() => new Webhook(secret).verify(body, old), /Message timestamp too old/);
});

test("in the cloud, the stage's key in KMS derives the secrets", async () => {
  const environment = { ...process.env };
  delete process.env.WEBHOOK_LOCAL_KEY;
  process.env.WEBHOOK_KEY_ID = "arn:aws:kms:eu-central-1:111122223333:key/mrk-1";
  const send = jest
    .spyOn(KMSClient.prototype, "send")
    .mockImplementation((async () => ({ Mac: new Uint8Array([7]) })) as never);
  assert.deepEqual(await environmentMac("é"), new Uint8Array([7]));
  const { KeyId, MacAlgorithm, Message } = Object(send.mock.calls[0]?.[0]).input;
  assert.deepEqual([KeyId, MacAlgorithm, String(Message)], [process.env.WEBHOOK_KEY_ID, "HMAC_SHA_256", "é"]);
  send.mockImplementation((async () => ({})) as never);
  await assert.rejects(environmentMac("é"), /no MAC/);
  process.env = environment;
});

test("the same content of a webhook has the same id, and any other has another", () => {
  const id = messageIdOf(webhook.webhookId, body);
  assert.match(id, /^msg_[\w-]{27}$/);
  assert.equal(messageIdOf(webhook.webhookId, body), id);
  assert.notEqual(messageIdOf(webhook.webhookId, `${body} `), id);
  assert.notEqual(messageIdOf("another", body), id);
});
