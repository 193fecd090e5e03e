import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { signedHeaders } from "../../../functions/webhooks/signature.ts";
import { verifyWebhook, WebhookVerificationError } from "../index.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const message = { type: "test", timestamp: "2026-11-23T10:00:12.031Z", data: { organisation_id: 1 } };
const body = JSON.stringify(message);
const headers = signedHeaders("msg_1", body, [secret], new Date());

test("a signed message is returned, from any kind of headers and body", () => {
  assert.deepEqual(verifyWebhook({ secret, headers, body }), message);
  assert.deepEqual(
    verifyWebhook({ secret, headers: new Headers(headers), body: new TextEncoder().encode(body) }),
    message,
  );
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  assert.deepEqual(verifyWebhook({ secret, headers: upper, body }), message);
});

test("a changed, old, unsigned or otherwise signed message is refused", () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const old = signedHeaders("msg_1", body, [secret], new Date(Date.now() - 6 * 60_000));
  for (const wrong of [
    { secret, headers, body: body.replace("1}", "2}") },
    { secret: other, headers, body },
    { secret, headers: old, body },
    { secret, headers: {}, body },
    { secret, headers: { ...headers, "webhook-signature": undefined }, body },
  ])
    assert.throws(() => verifyWebhook(wrong), WebhookVerificationError);
});

test("a missing secret is an error of its own", () => {
  for (const wrong of ["", "whsec_", "tsk_4fQ9wLxT", "undefined"])
    assert.throws(() => verifyWebhook({ secret: wrong, headers, body }), /The secret must be a webhook's/);
});
