import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, jest, test } from "@jest/globals";
import { logger } from "../../../functions/log/logger.ts";
import { handler } from "../../../functions/people/peopleBackup.ts";
import { type FakeUserPool, startFakeUserPool } from "../../support/aws/fakeUserPool.ts";
import { type ObjectStore, useObjectStore } from "../../support/aws/objectStore.ts";

const key = "people/2026-03-01.ndjson";
const event = { source: "aws.events", "detail-type": "Scheduled Event", time: "2026-03-01T01:30:00Z" };

let pool: FakeUserPool;
let store: ObjectStore;
beforeAll(async () => {
  pool = await startFakeUserPool(7);
  store = await useObjectStore();
});
afterAll(async () => {
  await pool.close();
  await store.close();
});
beforeEach(() => {
  pool.people.clear();
  pool.calls.length = 0;
  store.delete(key);
  store.requests.length = 0;
  store.faultOf = () => undefined;
  Object.assign(process.env, pool.environment, {
    USER_POOL_ID: pool.id,
    SUPER_ADMIN_GROUP: "super-admin",
    // The bucket of the fake store.
    BACKUP_BUCKET: "imports-and-reports",
  });
});

const lines = () => (store.get(key) ?? assert.fail("No object.")).split("\n");
const addPeople = (count: number) => {
  for (let index = 0; index < count; index += 1) {
    const attributes = { email: `p${index}@example.org`, "custom:organisation_id": "1842", name: "Zoë\nMüller" };
    pool.people.set(`id-${index}`, {
      attributes,
      groups: index % 2 === 0 ? ["super-admin", "others"] : ["others"],
      enabled: index % 3 !== 0,
    });
  }
};

test("a person is one line, with attributes, status and group", async () => {
  addPeople(1);
  await handler(event);
  const [line = "", ...rest] = lines();
  assert.deepEqual(rest, [""]);
  assert.deepEqual(JSON.parse(line), {
    username: "id-0",
    enabled: false,
    status: "CONFIRMED",
    date_created: "2026-03-01T02:00:00.000Z",
    date_updated: "2026-03-01T03:00:00.500Z",
    attributes: { sub: "id-0", email: "p0@example.org", "custom:organisation_id": "1842", name: "Zoë\nMüller" },
    groups: ["super-admin"],
  });
});

test("all pages of people and of the group are read", async () => {
  addPeople(50);
  await handler(event);
  const people = lines()
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    people.map(({ username, enabled, groups }) => ({ username, enabled, groups })),
    Array.from({ length: 50 }, (_, index) => ({
      username: `id-${index}`,
      enabled: index % 3 !== 0,
      groups: index % 2 === 0 ? ["super-admin"] : [],
    })),
  );
  assert.equal(pool.calls.filter((call) => call === "ListUsers").length, 8);
  assert.equal(pool.calls.filter((call) => call === "ListUsersInGroup").length, 4);
});

test("an empty pool becomes an empty object, which shows that the backup ran", async () => {
  await handler(event);
  assert.deepEqual(lines(), [""]);
  // S3 refuses a request without a length.
  assert.equal(store.requests[0]?.headers["content-length"], "0");
});

test("a repeated event replaces the day's object", async () => {
  addPeople(2);
  await handler(event);
  pool.people.delete("id-1");
  await handler(event);
  assert.equal(lines().length, 2);
});

test("if S3 or Cognito fails, the function fails, so that Lambda tries again", async () => {
  addPeople(1);
  store.faultOf = () => ({ status: 500 });
  await assert.rejects(handler(event), { name: "InternalError" });
  assert.equal(store.get(key), undefined);
  store.faultOf = () => undefined;
  store.requests.length = 0;
  process.env.USER_POOL_ID = "eu-west-1_other";
  await assert.rejects(handler(event), { name: "ResourceNotFoundException" });
  assert.deepEqual(store.requests, []);
});

test("the log has the number of people, but nothing about them", async () => {
  addPeople(9);
  const logged: unknown[] = [];
  const methods = (["debug", "info", "warn", "error"] as const).map((method) =>
    jest.spyOn(logger, method).mockImplementation((...texts) => void logged.push(texts)),
  );
  try {
    await handler(event);
    store.faultOf = () => ({ status: 500 });
    const error = await handler(event).catch((thrown: Error) => thrown);
    logged.push(String(error), (error as Error).stack);
  } finally {
    for (const method of methods) method.mockRestore();
  }
  const text = JSON.stringify(logged);
  assert.match(text, /"people":9/);
  for (const secret of ["example.org", "1842", "Müller", "id-0"]) assert.ok(!text.includes(secret), secret);
});
