import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { changingTypes } from "../../../functions/changes/change.ts";
import { earlierSecretUntil, healthOf, isInUse, nameOf, types } from "../app/webhooks/webhookRules.ts";

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

describe("a webhook's health", () => {
  test("is that of its last attempt while it is active", () => {
    const delivered = { ...webhook, delivered_until: "2026-11-25T09:58:00Z" };
    const planned = { ...delivered, next_attempt: "2026-11-25T10:00:12Z" };
    for (const one of [delivered, planned])
      assert.deepEqual(healthOf(one, now), { status: "Active", color: "teal", text: "Delivered 2 minutes ago." });
    const failing = { ...delivered, failing_since: "2026-11-25T07:00:00Z", next_attempt: "2026-11-25T10:24:00Z" };
    assert.deepEqual(healthOf(failing, now), {
      status: "Failing",
      color: "yellow",
      text: "Failing since 3 hours ago. Next attempt in 24 minutes.",
    });
  });

  test("says that it is stopped, also after a failure", () => {
    const failing = { ...webhook, failing_since: "2026-11-20T07:00:00Z" };
    assert.equal(healthOf({ ...failing, status: "disabled" }, now).status, "Disabled");
    assert.equal(healthOf({ ...failing, status: "paused" }, now).status, "Paused");
  });
});

test("both secrets sign until the earlier one has ended", () => {
  const until = (earlier_secret_until: string | null) => earlierSecretUntil({ ...webhook, earlier_secret_until }, now);
  assert.equal(until("2026-11-25T10:00:01Z"), "2026-11-25T10:00:01Z");
  assert.equal(until("2026-11-25T10:00:00Z"), null);
  assert.equal(until(null), null);
});

test("a webhook is in use for a day after its last delivery", () => {
  assert.equal(isInUse(webhook, now), false);
  assert.equal(isInUse({ ...webhook, delivered_until: "2026-11-24T10:00:00Z" }, now), true);
  assert.equal(isInUse({ ...webhook, delivered_until: "2026-11-24T09:59:59Z" }, now), false);
});
