import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { successorName } from "../../../web/developerArea/app/keys/keyRules.ts";

test("a successor is named after its predecessor, with the next number", () => {
  assert.equal(successorName("Website"), "Website (2)");
  assert.equal(successorName("Website (2)"), "Website (3)");
  assert.equal(successorName("Website (9) (99)"), "Website (9) (100)");
  assert.equal(successorName("Website (2) b"), "Website (2) b (2)");
});

test("a successor's name never exceeds the maximum length", () => {
  assert.equal(successorName("🎟".repeat(100)), `${"🎟".repeat(96)} (2)`);
});
