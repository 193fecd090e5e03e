import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { AuditEntry } from "../../../cli/organisation/organisation.ts";
import { describeErasures } from "../../../cli/table/erasureAdvice.ts";

const restored = { to: new Date("2026-03-01T02:00:00Z"), target: "NEW", stageOption: " --stage prod" };

/** The entries of a run that starts at a minute after 2:00 and ends a minute later. */
function entries(action: AuditEntry["action"], minute: number, { source = "", isDone = true, organisation = 7 } = {}) {
  const entry = (state: AuditEntry["state"], at: number): AuditEntry => ({
    ...{
      id: `${action} ${minute} ${state}`,
      run_id: `${action} ${minute}`,
      organisation_id: organisation,
      action,
      state,
    },
    ...{
      time: new Date(restored.to.getTime() + at * 60_000).toISOString(),
      actor: "Grace",
      os_user: "g",
      counts: null,
    },
    ...(source && { source }),
  });
  return [entry("started", minute), ...(isDone ? [entry("completed", minute + 1)] : [])];
}
const fromExport = { source: "--from-export organisation-7.ndjson" };
const erase = "npm run ops -- organisation erase --organisation 7 --confirm 7 --actor NAME --stage prod --table NEW\n";
const copy = "npm run ops -- organisation restore --organisation 7 --actor NAME --from-table NEW --stage prod\n";
const again =
  "npm run ops -- organisation restore --organisation 7 --actor NAME --from-export organisation-7.ndjson --stage prod --table NEW\n";

test.each([
  ["erased last", [entries("erasure", 5)], [erase, copy]],
  ["erased across the chosen time", [entries("erasure", -0.5)], [erase, copy]],
  ["erased without an end", [entries("erasure", 5, { isDone: false })], [erase, copy]],
  [
    "erased, restored and erased again",
    [entries("erasure", 5), entries("restoration", 10), entries("erasure", 15)],
    [erase, copy],
  ],
  [
    "erased and only partly restored",
    [entries("erasure", 5), entries("restoration", 10, { isDone: false })],
    [erase, copy],
  ],
  [
    "erased and restored",
    [entries("erasure", 5), entries("restoration", 10, fromExport)],
    ["do not erase it for good", erase, again],
  ],
  [
    "erased before, and restored",
    [entries("erasure", -9), entries("restoration", 10, fromExport)],
    ["lacks what that wrote", again],
  ],
  ["erased and restored before", [entries("erasure", -9), entries("restoration", -5)], []],
  ["erased before", [entries("erasure", -9)], []],
  ["exported and suspended", [entries("export", 5), entries("suspension", 6)], []],
] as const)("an organisation that was %s gets the advice that fits", (_, runs, expected) => {
  const text = describeErasures(runs.flat(), [], restored);
  for (const part of expected) assert.ok(text.includes(part), text);
  for (const command of [erase, copy, again])
    assert.equal(
      text.includes(command),
      expected.some((part) => part === command),
    );
  assert.equal(text === "", expected.length === 0);
});

test("what was repeated in the new table needs no more advice, until the organisation is erased or restored again", () => {
  const audit = entries("erasure", 5);
  const advice = (now: AuditEntry[], there: AuditEntry[]) =>
    describeErasures(now, [...audit, ...there], restored) !== "";
  assert.equal(advice(audit, entries("erasure", 20)), false);
  assert.equal(advice(audit, entries("erasure", 20, { isDone: false })), true);
  assert.equal(advice(audit, entries("erasure", 20, { organisation: 8 })), true);
  assert.equal(advice([...audit, ...entries("restoration", 30)], entries("erasure", 20)), true);
});
