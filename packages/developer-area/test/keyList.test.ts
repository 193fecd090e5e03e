import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { ApiKey } from "../app/api/types.ts";
import { sortKeys } from "../app/keys/keyList.ts";

const key = (id: string, others: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id, name: id, prefix: "tsk_12345678", scopes: ["read"], status: "active", suspended: false },
  ...{ created: "2027-01-01T00:00:00Z", created_by: "Ada", last_used: null, revoked: null, revoked_by: null },
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
