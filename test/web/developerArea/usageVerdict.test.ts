import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { usageVerdict } from "../../../web/developerArea/app/keys/keyRules.ts";

const now = new Date("2027-03-01T12:00:00Z");
const used = (minutesAgo: number | null) => ({
  last_used: minutesAgo === null ? null : new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
});
const verdict = (old: number | null, successor: number | null) => usageVerdict(used(old), used(successor), now);

test("an old key that was never used can go", () => {
  assert.deepEqual(verdict(null, null), {
    safe: true,
    text: "The old key has never been used: nothing depends on it.",
  });
});

test("an old key that was used in the last 15 minutes cannot go, even if the new one is used", () => {
  const text = "The old key was used 15 minutes ago: something still uses it.";
  assert.deepEqual(verdict(15, null), { safe: false, text });
  assert.deepEqual(verdict(15, 1), { safe: false, text });
});

test("an old key cannot go before the new one has been used", () => {
  const text = "The new key has not been used yet. The old key was last used 16 minutes ago.";
  assert.deepEqual(verdict(16, null), { safe: false, text });
});

test("an old key can go when only the new one is still used", () => {
  const { safe, text } = verdict(180, 1);
  assert.ok(safe);
  assert.match(text, /^The new key is in use, and the old key was last used 3 hours ago\./);
});
