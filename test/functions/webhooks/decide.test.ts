import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { isoOf } from "../../../functions/values/instant.ts";
import { decide } from "../../../functions/webhooks/deliverWebhook.ts";
import type { StoredWebhook } from "../../../functions/webhooks/storedWebhook.ts";

const nowMs = Date.parse("2031-05-05T10:00:00.000Z");
const idle: StoredWebhook = {
  ...{ id: "1", organisation_id: 1, url: "https://203.0.114.7/", description: null, types: null, status: "active" },
  ...{ created: isoOf(0), created_by: "Ada", delivered_until: null, failing_since: null, earlier_secret_until: null },
  ...{
    position: "",
    secret_version: 1,
    text_secret_from: 1,
    failures: 0,
    claim_id: null,
    claimed_until: null,
    revision: 1,
  },
  next_poll: isoOf(nowMs + 20 * 24 * 60 * 60 * 1_000),
};
const polledIn = (ms: number) => ({ ...idle, next_poll: isoOf(nowMs + ms) });
const claimed = { ...idle, claimed_until: isoOf(nowMs + 1) };
const retriedIn = (ms: number) => ({ ...polledIn(ms), failures: 3 });
/** The change time of a change that is visible in 300 ms. */
const hidden = isoOf(nowMs - visibilityDelayMs + 299);
const visible = isoOf(nowMs - visibilityDelayMs - 1);

test.each<[string, StoredWebhook | undefined, string | undefined, object]>([
  ["a deleted webhook is not polled", undefined, visible, { step: "stop" }],
  ["a paused webhook is not polled", { ...idle, status: "paused", next_poll: null }, hidden, { step: "stop" }],
  ["an idle webhook is polled for a visible change", idle, visible, { step: "poll", webhook: idle, hiddenMs: 0 }],
  [
    "an idle webhook is polled again once a hidden change is visible",
    idle,
    hidden,
    { step: "poll", webhook: idle, hiddenMs: 300 },
  ],
  ["a change with an impossible time is awaited for a minute", claimed, isoOf(2 * nowMs), { ms: 60_000 }],
  ["a due webhook is polled", polledIn(0), undefined, { step: "poll", webhook: polledIn(0), hiddenMs: 0 }],
  [
    "a poll that another clock scheduled within two seconds is awaited",
    polledIn(2_000),
    visible,
    { step: "waitForPoll", ms: 2_000 },
  ],
  ["a poll within a minute is left to its own wake-up", polledIn(2_001), visible, { step: "stop" }],
  [
    "a hidden change is awaited if the scheduled poll comes before it is visible",
    polledIn(100),
    hidden,
    { step: "waitForChange", ms: 300 },
  ],
  ["a retry in an hour is left to the sweep", retriedIn(3_600_000), visible, { step: "stop" }],
  ["a webhook that another run has claimed is left to it", claimed, visible, { step: "stop" }],
  ["a hidden change is awaited while another run sends", claimed, hidden, { step: "waitForChange", ms: 300 }],
  [
    "a claim that has ended does not prevent a poll",
    { ...idle, claimed_until: isoOf(nowMs) },
    visible,
    { step: "poll" },
  ],
])("%s", (_, stored, until, expected) => {
  const { step, ...others } = decide(stored, { organisation_id: 1, id: "1", ...(until && { until }) }, nowMs);
  assert.partialDeepStrictEqual({ step, ...others }, expected);
});
