import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { usedWithinADay } from "../../../web/developerArea/app/keys/keyRules.ts";

const now = new Date("2027-03-01T12:00:00Z");

test("a key counts as used within a day up to and including 24 hours after its last use", () => {
  assert.ok(usedWithinADay({ last_used: "2027-03-01T11:59:59Z" }, now));
  assert.ok(usedWithinADay({ last_used: "2027-02-28T12:00:00Z" }, now));
  assert.ok(!usedWithinADay({ last_used: "2027-02-28T11:59:59.999Z" }, now));
});

test("a key that was never used does not count as used", () => {
  assert.ok(!usedWithinADay({ last_used: null }, now));
});
