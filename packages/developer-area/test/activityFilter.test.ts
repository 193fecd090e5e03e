import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { activityCsv, everything, isActive, matches } from "../app/activity/activityFilter.ts";
import type { Activity } from "../app/api/types.ts";

/** Noon of a day of November 2026, in this machine's time zone. */
const noon = (day: number) => new Date(2026, 10, day, 12).toISOString();

const about = { id: "1", actor: "ada@example.org", actor_id: "ada", former_name: null, scopes: null };
const noKey = { key_id: null, key_name: null, key_prefix: null };
const ofKey: Activity = {
  ...{ ...about, kind: "api_key", action: "created", time: noon(25) },
  ...{ key_id: "k", key_name: "Crème CRM", key_prefix: "tsk_4fQ9wLxT", webhook_id: null, url: null },
};
const ofWebhook: Activity = {
  ...{ ...about, ...noKey, kind: "webhook", action: "replayed", time: noon(27) },
  ...{ actor: "grace@example.org", webhook_id: "w", url: "https://shop.example.org/hook" },
};

describe("a filter", () => {
  /** Each filter with the entry that it finds. */
  const filters = {
    subject: { "creme crm": ofKey, TSK_4fq9: ofKey, "SHOP.example": ofWebhook },
    kind: { api_key: ofKey, webhook: ofWebhook },
    person: { "ada@example.org": ofKey, "grace@example.org": ofWebhook },
    action: { created: ofKey, replayed: ofWebhook },
    from: { "2026-11-26": ofWebhook },
    to: { "2026-11-26": ofKey },
  };

  test.each(Object.entries(filters))("of %s is active, and finds what it says", (name, values) => {
    for (const [value, found] of Object.entries(values)) {
      const filter = { ...everything, [name]: value };
      assert.ok(isActive(filter));
      assert.deepEqual(
        [ofKey, ofWebhook].filter((entry) => matches(entry, filter)),
        [found],
      );
    }
  });

  test("exists for each member", () => {
    assert.deepEqual(Object.keys(filters).sort(), Object.keys(everything).sort());
  });

  test("that is empty finds everything, and so does white space as the subject", () => {
    for (const filter of [everything, { ...everything, subject: "  " }])
      assert.deepEqual([isActive(filter), matches(ofKey, filter), matches(ofWebhook, filter)], [false, true, true]);
  });

  test("of days includes both", () => {
    for (const name of ["from", "to"]) assert.ok(matches(ofKey, { ...everything, [name]: "2026-11-25" }));
  });
});

test.each([
  ["winter", new Date(2026, 10, 25, 12)],
  ["summer", new Date(2027, 6, 1, 12)],
])("a time in the CSV is local, with its offset from UTC, in %s", (_, date) => {
  const [, row = ""] = activityCsv([{ ...ofKey, time: date.toISOString() }]).split("\r\n");
  const [time = ""] = row.split(",");
  assert.match(time, /^\d{4}-\d\d-\d\dT12:00:00\.000[+-]\d\d:\d\d$/);
  assert.deepEqual(new Date(time), date);
});

test.each([
  ["=1", "'=1"],
  [" +1", "' +1"],
  ["\uFF1D1", "'\uFF1D1"],
  ["\uFF20SUM(A1)", "'\uFF20SUM(A1)"],
  ["a;=1", "a;'=1"],
  ["a; -1", "a;' -1"],
  ["a|@x", "a|'@x"],
  ['"a\n=1"', '"""a\n\'=1"""'],
  ["a\t=1", "a\t'=1"],
  ["\ta", "'\ta"],
  ["a=1; b - c", "a=1; b - c"],
])("a name in the CSV is not a formula, whatever the separator: %j", (key_name, expected) => {
  const [, ...rows] = activityCsv([{ ...ofKey, key_name }]).split("\r\n");
  assert.ok(rows.join("\r\n").includes(`,k,${expected},tsk_`), rows.join());
});
