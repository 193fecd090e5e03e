import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { ApiKey } from "../app/api/types.ts";
import { sortKeys } from "../app/keys/keyList.ts";
import { revocationTimeOf, successorOf } from "../app/keys/keyRules.ts";

const key = (id: string, others: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id, name: id, prefix: "tsk_12345678", scopes: ["read"], status: "active", replaces: null, revokes_at: null },
  ...{ created: "2027-01-01T00:00:00Z", created_by: "Ada", last_used: null, revoked: null, revoked_by: null },
  ...{ suspended: false, replaced_by: null },
  ...others,
});
const idsBy = (sort: string, keys: ApiKey[]) => sortKeys(keys, sort).map(({ id }) => id);

test("names sort by the numbers in them, and a key that was never used is older than every use", () => {
  assert.deepEqual(idsBy("name", [key("Door 10"), key("door 9"), key("Box office")]), [
    "Box office",
    "door 9",
    "Door 10",
  ]);
  const used = [
    key("late", { last_used: "2027-02-02T00:00:00Z" }),
    key("never"),
    key("early", { last_used: "2027-02-01T00:00:00Z" }),
  ];
  assert.deepEqual(idsBy("last_used", used), ["never", "early", "late"]);
  assert.deepEqual(idsBy("-last_used", used), ["late", "early", "never"]);
});

test("a revoked key is nobody's successor", () => {
  const [first, revoked, second] = [
    key("1"),
    key("2", { replaces: "1", status: "revoked" }),
    key("3", { replaces: "1" }),
  ];
  assert.equal(successorOf([revoked, second, first], first)?.id, "3");
  assert.equal(successorOf([revoked, first], first), null);
});

test("a revocation can be planned for at most five years ahead, as in the API", () => {
  const year = new Date().getFullYear();
  const chosen = (years: number) => revocationTimeOf({ choice: "at", end: null, at: `${year + years}-01-01T00:00` });
  assert.equal(chosen(0).problem, "Must be in the future.");
  assert.equal(chosen(5).problem, undefined);
  assert.equal(chosen(6).problem, "Must be within 5 years.");
});
