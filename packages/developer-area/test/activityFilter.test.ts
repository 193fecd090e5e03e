import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { activityCsv, everything, isActive, lacksPlan, matches, withEffects } from "../app/activity/activityFilter.ts";
import type { Activity, ApiKey } from "../app/api/types.ts";

/** Of a day of November 2026, in this machine's time zone. */
const noon = (day: number) => new Date(2026, 10, day, 12).toISOString();
const summer = new Date(2027, 6, 1, 12).toISOString();

const about = { id: "1", actor: "ada@example.org", actor_id: "ada", former_name: null, scopes: null, revokes_at: null };
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
  /** Each with the entry that it finds, of the two above. */
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

describe("a planned revocation", () => {
  const time = noon(26);
  const plan: Activity = {
    ...ofKey,
    id: "2",
    action: "revocation_planned",
    actor: "grace@example.org",
    revokes_at: time,
  };
  const key = (revoked: string | null, id = "k") => ({ id, revoked }) as ApiKey;

  test("that took effect is an entry, between the others, by the person who planned it", () => {
    const [, effect, ...others] = withEffects([ofWebhook, plan, ofKey], [key(time)]);
    assert.deepEqual(
      [effect, others],
      [{ ...plan, id: "2 effect", action: "revocation_took_effect", time, revokes_at: null }, [plan, ofKey]],
    );
  });

  test("that a key was created with took effect, too, without its scopes", () => {
    const [effect] = withEffects([{ ...ofKey, scopes: ["read"], revokes_at: time }], [key(time)]);
    assert.deepEqual([effect?.action, effect?.scopes], ["revocation_took_effect", null]);
  });

  test("that was made twice for the same time took effect once", () => {
    const withdrawn: Activity = { ...ofKey, action: "revocation_withdrawn" };
    assert.equal(withEffects([plan, withdrawn, plan], [key(time)]).length, 4);
  });

  test("that is still ahead, was moved, withdrawn or overtaken, or is another key's, took no effect", () => {
    for (const keys of [[key(null)], [key(noon(25))], [key(time, "other")], []])
      assert.deepEqual(withEffects([plan, ofKey], keys), [plan, ofKey]);
  });

  test("is sought among older entries if a key ended and no entry says how", () => {
    const revoked: Activity = { ...ofKey, action: "revoked", time };
    assert.ok(lacksPlan([ofWebhook, ofKey], [key(time)]));
    for (const entries of [[plan], [revoked, ofKey], [ofWebhook]]) assert.ok(!lacksPlan(entries, [key(time)]));
    assert.ok(!lacksPlan([ofKey], [key(null)]));
  });
});

test("times in the CSV are the person's, with the offset from UTC", () => {
  const [, row = ""] = activityCsv([{ ...ofKey, revokes_at: summer }]).split("\r\n");
  const [time = "", ...cells] = row.split(",");
  for (const [text, instant] of [
    [time, ofKey.time],
    [cells[8] ?? "", summer],
  ] as const) {
    assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000[+-]\d\d:\d\d$/);
    const date = new Date(instant);
    assert.deepEqual([new Date(text), Number(text.slice(11, 13))], [date, date.getHours()]);
  }
});
