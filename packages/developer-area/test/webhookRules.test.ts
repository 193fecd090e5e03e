import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { changingTypes } from "../../../functions/resources/index.ts";
import { maximumWebhooks as limit } from "../../../functions/webhooks/webhook.ts";
import {
  earlierSecretUntil,
  healthOf,
  keyAsText,
  maximumWebhooks,
  nameOf,
  needsRepair,
  types,
} from "../app/webhooks/webhookRules.ts";

const now = new Date("2026-11-25T10:00:00Z");
const webhook = {
  id: "1",
  url: "https://crm.example.org:8443/hook",
  description: null,
  types: null,
  status: "active" as const,
  created: "2026-11-01T00:00:00Z",
  created_by: "ada@example.org",
  delivered_until: null,
  failing_since: null,
  next_attempt: null,
  earlier_secret_until: null,
};

test("every type of change can be chosen", () => {
  assert.deepEqual(
    types.map(({ type }) => type),
    changingTypes,
  );
});

test("a webhook is called by its description, or else by the receiver's host", () => {
  assert.equal(nameOf(webhook), "crm.example.org:8443");
  assert.equal(nameOf({ ...webhook, description: " " }), "crm.example.org:8443");
  assert.equal(nameOf({ ...webhook, description: "CRM" }), "CRM");
});

test("the limit of webhooks is the API's", () => {
  assert.equal(maximumWebhooks, limit);
});

const why = "The receiver failed for five days, or responded with 410.";

describe("a webhook's health", () => {
  test("is that of its last attempt while it is active", () => {
    const delivered = { ...webhook, delivered_until: "2026-11-25T09:58:00Z" };
    const planned = { ...delivered, next_attempt: "2026-11-25T10:00:12Z" };
    for (const one of [delivered, planned])
      assert.deepEqual(healthOf(one, now), {
        status: "Active",
        color: "teal",
        text: "Last delivered change: 2 minutes ago.",
      });
    const failing = { ...delivered, failing_since: "2026-11-25T07:00:00Z", next_attempt: "2026-11-25T10:24:00Z" };
    assert.deepEqual(healthOf(failing, now), {
      status: "Failing",
      color: "yellow",
      text: "First failed attempt: 3 hours ago. Next attempt: in 24 minutes. Last delivered change: 2 minutes ago.",
    });
    const { text } = healthOf({ ...failing, failing_since: "2026-11-25T09:59:55Z" }, now);
    assert.match(text, /^First failed attempt: just now\. /);
  });

  test("says that it is stopped, also after a failure", () => {
    const failing = { ...webhook, failing_since: "2026-11-20T07:00:00Z" };
    const text = "First failed attempt: 5 days ago. Nothing has been delivered yet.";
    const disabled = { status: "Disabled", color: "red", text: `${why} ${text}` };
    assert.deepEqual(healthOf({ ...failing, status: "disabled" }, now), disabled);
    assert.deepEqual(healthOf({ ...failing, status: "paused" }, now), { status: "Paused", color: "gray", text });
  });

  test("needs repair while it fails or is disabled, not while it is paused", () => {
    const failing = { ...webhook, failing_since: "2026-11-20T07:00:00Z" };
    const needing = [failing, { ...webhook, status: "disabled" as const }];
    for (const one of needing) assert.ok(needsRepair(one));
    for (const one of [webhook, { ...failing, status: "paused" as const }]) assert.ok(!needsRepair(one));
  });
});

test("both secrets sign until the earlier one has ended", () => {
  const until = (earlier_secret_until: string | null) => earlierSecretUntil({ ...webhook, earlier_secret_until }, now);
  assert.equal(until("2026-11-25T10:00:01Z"), "2026-11-25T10:00:01Z");
  assert.equal(until("2026-11-25T10:00:00Z"), null);
  assert.equal(until(null), null);
});

test("a signing secret is also shown as text, unless its key's bytes are none", () => {
  const text = "n8G4xQ-7pLwT2bYc8dKp1nRs7vZa3eG_";
  assert.equal(keyAsText(`whsec_${btoa(text)}`), text);
  for (const bytes of [Buffer.alloc(32, 7), Buffer.from(`${text.slice(1)}+`), Buffer.from(text.slice(1))])
    assert.equal(keyAsText(`whsec_${bytes.toString("base64")}`), undefined);
});
