import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { handler } from "../../../functions/keys/countUsage.ts";
import { UsageQuery } from "../../../functions/keys/keyUsage.ts";
import { keyUsageRepository } from "../../../functions/keys/keyUsageRepository.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { openTable } from "../../../functions/table/table.ts";
import { faults, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeAll(() => useTestTable());

const dayMs = 24 * 60 * 60 * 1_000;
const organisationId = 1;
const usageOf = (keyId: string, days = 2) => keyUsageRepository(organisationId, openTable()).usage(keyId, days);

interface Request {
  key_id: string;
  operation_id?: string;
  status?: number;
  code?: string;
  agoMs?: number;
  path?: string;
  /** Given if the authorizer refused the request. */
  message?: "authorization";
  outcome?: string;
  function_request_id?: string;
}

/** A delivery of CloudWatch Logs with a line for each request. */
function deliveryOf(requests: Request[], others: string[] = [], messageType = "DATA_MESSAGE") {
  const lines = requests.map(({ agoMs = 0, ...request }) => ({
    timestamp: Date.now() - agoMs,
    message: JSON.stringify({
      level: "INFO",
      message: "request",
      organisation_id: organisationId,
      operation_id: "listEvents",
      status: 200,
      request_id: randomUUID(),
      duration_ms: 3,
      ...{ method: "GET", path: "/v1/events", code: "not_found", detail: "No such event." },
      ...request,
    }),
  }));
  const logEvents = [...lines, ...others.map((message) => ({ timestamp: Date.now(), message }))].map((event) => ({
    id: randomUUID(),
    ...event,
  }));
  const text = JSON.stringify({ messageType, logGroup: "requests", logEvents });
  return { awslogs: { data: gzipSync(text).toString("base64") } };
}

async function newKey(): Promise<string> {
  return (await apiKeyRepository(organisationId, openTable()).create("Counted", [], someone)).stored.id;
}

test("the usage of a key counts requests by day, error and operation, with zeros for other days", async () => {
  const [key_id, other] = [await newKey(), await newKey()];
  await handler(
    deliveryOf([
      { key_id },
      { key_id, operation_id: "getOrder" },
      { key_id, operation_id: "getOrder", status: 404, code: "not_found" },
      { key_id, status: 500, code: "internal_error", agoMs: dayMs },
      { key_id: other },
    ]),
  );
  const { days, operations } = await usageOf(key_id, 3);
  assert.deepEqual(
    days.map(({ date: _, ...counts }) => counts),
    [
      { requests: 0, client_errors: 0, server_errors: 0, refused: 0 },
      { requests: 1, client_errors: 0, server_errors: 1, refused: 0 },
      { requests: 3, client_errors: 1, server_errors: 0, refused: 0 },
    ],
  );
  assert.equal(days.at(-1)?.date, new Date().toISOString().slice(0, 10));
  assert.deepEqual(operations, [
    { operation_id: "getOrder", requests: 2 },
    { operation_id: "listEvents", requests: 2 },
  ]);
  assert.equal((await usageOf(other)).days.at(-1)?.requests, 1);
});

test("the usage of a key equals the number of requests after repeated deliveries in any order", async () => {
  const delivery = fc.record({ requests: fc.integer({ min: 1, max: 5 }), times: fc.integer({ min: 1, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(delivery, { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat()),
      async (all, order) => {
        const key_id = await newKey();
        const deliveries = all.flatMap(({ requests, times }) => {
          const one = deliveryOf(Array.from({ length: requests }, () => ({ key_id, status: 404 })));
          return Array.from({ length: times }, () => one);
        });
        const shuffled = deliveries.map((one) => ({ one, at: order.next().value })).sort((a, b) => a.at - b.at);
        await Promise.all(shuffled.map(({ one }) => handler(one)));
        const expected = all.reduce((sum, { requests }) => sum + requests, 0);
        const { days, operations } = await usageOf(key_id);
        assert.deepEqual(days.at(-1), { ...days.at(-1), requests: expected, client_errors: expected });
        assert.deepEqual(operations, [{ operation_id: "listEvents", requests: expected }]);
        const { data } = await keyUsageRepository(organisationId, openTable()).failures(key_id, PageQuery.parse({}));
        assert.deepEqual(
          data.map(({ count }) => count),
          [expected],
        );
      },
    ),
    { numRuns: 10 },
  );
});

test("requests with a revoked key are counted apart, and are failures of that key and of all keys", async () => {
  const key_id = await newKey();
  const refused = { key_id, message: "authorization", status: undefined, function_request_id: randomUUID() } as const;
  await handler(
    deliveryOf([
      { key_id },
      { ...refused, outcome: "revoked" },
      { ...refused, outcome: "suspended", function_request_id: randomUUID() },
      { ...refused, outcome: "allowed", function_request_id: randomUUID() },
    ]),
  );
  const { days, operations } = await usageOf(key_id);
  const { date: _, ...today } = days.at(-1) ?? assert.fail("There is no day.");
  assert.deepEqual(today, { requests: 1, client_errors: 0, server_errors: 0, refused: 2 });
  assert.deepEqual(operations, [{ operation_id: "listEvents", requests: 1 }]);
  const usage = keyUsageRepository(organisationId, openTable());
  const { data } = await usage.failures(key_id, PageQuery.parse({}));
  assert.deepEqual(data.map(({ operation_id, status, detail }) => `${operation_id} ${status} ${detail}`).toSorted(), [
    "null 401 The key was revoked.",
    "null 401 The organisation is suspended.",
  ]);
  assert.ok(data.some(({ request_id }) => request_id === refused.function_request_id));
  const other = await newKey();
  await handler(deliveryOf([{ key_id: other, status: 404, code: "not_found" }]));
  const [latest, ...earlier] = (await usage.allFailures(PageQuery.parse({ per_page: "3" }))).data;
  assert.equal(latest?.key_id, other);
  assert.deepEqual(
    earlier.map((failure) => failure.key_id),
    [key_id, key_id],
  );
  assert.deepEqual((await keyUsageRepository(77, openTable()).allFailures(PageQuery.parse({}))).data, []);
});

test("equal failures of a key on a day are one failure with their number, first and last time", async () => {
  const key_id = await newKey();
  const startedMs = Date.now();
  const failed = (agoMs: number, request_id: string, path = "/v1/events") => ({
    ...{ key_id, status: 404, agoMs, request_id, path },
  });
  await handler(deliveryOf([failed(500, "b"), failed(600, "a"), failed(550, "c", "/v1/events/7")]));
  await handler(deliveryOf([failed(100, "d")]));
  await handler(deliveryOf([failed(900, "e"), { ...failed(0, "f"), key_id: await newKey() }]));
  const { data } = await keyUsageRepository(organisationId, openTable()).failures(key_id, PageQuery.parse({}));
  const rows = data.map(({ path, count, request_id }) => [path, count, request_id]);
  assert.deepEqual(rows, [
    ["/v1/events", 4, "d"],
    ["/v1/events/7", 1, "c"],
  ]);
  const [all] = data;
  assert.ok(all && all.first_time < all.time && Date.parse(all.first_time) >= startedMs - 900);
  const every = (await keyUsageRepository(organisationId, openTable()).allFailures(PageQuery.parse({}))).data;
  assert.equal(every.filter((row) => row.key_id === key_id).length, 2);
});

test("all requests of a revoked key on a day are one failure, with the latest path", async () => {
  const key_id = await newKey();
  const refused = (agoMs: number, path: string) =>
    ({ key_id, message: "authorization", outcome: "revoked", function_request_id: path, agoMs, path }) as const;
  await handler(deliveryOf(Array.from({ length: 40 }, (_, index) => refused(100 + index, `/v1/orders/${index}`))));
  await handler(deliveryOf([refused(50, "/v1/events")]));
  await handler(deliveryOf([refused(900, "/v1/changes")]));
  const { data } = await keyUsageRepository(organisationId, openTable()).failures(key_id, PageQuery.parse({}));
  assert.deepEqual(
    data.map(({ path, request_id, count }) => [path, request_id, count]),
    [["/v1/events", "/v1/events", 42]],
  );
});

test("the usage ignores lines other than requests with a key, and tests of the subscription", async () => {
  const before = await dumpTable();
  const others = ["", "not JSON", "[]", '{"message":"authorization"}', '{"message":"request","status":200}'];
  await handler(deliveryOf([], others));
  await handler(deliveryOf([{ key_id: "other" }], [], "CONTROL_MESSAGE"));
  assert.deepEqual(await dumpTable(), before);
});

test("the failures of a key are the latest first, some of many, and expire after 7 days", async () => {
  const key_id = await newKey();
  const failed = (index: number) => ({ key_id, status: 400 + index, code: "invalid_request", agoMs: index * 1_000 });
  await handler(deliveryOf([failed(1), { key_id }, failed(0), failed(2)]));
  const list = (per_page = 50, cursor?: string) =>
    keyUsageRepository(organisationId, openTable()).failures(key_id, { per_page, cursor });
  const statuses = async (...page: Parameters<typeof list>) => (await list(...page)).data.map(({ status }) => status);
  assert.deepEqual(await statuses(), [400, 401, 402]);
  const { next_cursor } = (await list(2)).pagination;
  assert.deepEqual(await statuses(2, next_cursor ?? ""), [402]);
  const expiries = (await dumpTable())
    .filter(({ PK, SK }) => String(PK).endsWith(key_id) && String(SK).startsWith("FAILURE"))
    .map(({ expires_at }) => Number(expires_at) * 1_000 - Date.now());
  assert.equal(expiries.length, 3);
  for (const left of expiries) assert.ok(left > 6.9 * dayMs && left < 7.1 * dayMs, String(left));
  await handler(deliveryOf(Array.from({ length: 100 }, (_, index) => failed(index % 99))));
  // Two equal an earlier one; the last of the batch equals its first.
  const kept = (await statuses(50)).filter((status) => status > 402);
  assert.deepEqual(
    kept.toSorted(),
    Array.from({ length: 19 }, (_, index) => 480 + index),
  );
  assert.equal((await usageOf(key_id)).days.at(-1)?.requests, 104);
});

test("the counts of a day are kept for the 90 days that the usage shows", async () => {
  const key_id = await newKey();
  await handler(deliveryOf([{ key_id }]));
  const daysLeft = (await dumpTable())
    .filter(({ PK }) => String(PK).endsWith(key_id))
    .map(
      ({ SK, expires_at }) => [String(SK).split("#")[0], (Number(expires_at) * 1_000 - Date.now()) / dayMs] as const,
    );
  const left = Object.fromEntries(daysLeft);
  assert.ok(Number(left.DAY) > 91 && Number(left.DAY) <= 93, String(left.DAY));
  assert.ok(Number(left.BATCH) > 1 && Number(left.BATCH) <= 3, String(left.BATCH));
});

test("a delivery that the table refuses is counted when it accepts writes again, and fails if it does not", async () => {
  const key_id = await newKey();
  const delivery = deliveryOf([{ key_id }]);
  let refused = 4;
  proxy.faultOf = () => (refused-- > 0 ? faults["failing with 500"] : undefined);
  await handler(delivery);
  assert.equal((await usageOf(key_id)).days.at(-1)?.requests, 1);
  proxy.faultOf = () => faults["failing with 500"];
  const littleTime = { getRemainingTimeInMillis: () => 10_100 };
  await assert.rejects(handler(deliveryOf([{ key_id }]), littleTime));
  proxy.faultOf = () => undefined;
  assert.equal((await usageOf(key_id)).days.at(-1)?.requests, 1);
});

test("the usage is that of 30 days by default, and of 90 at most", () => {
  const daysOf = (days?: string) => UsageQuery.safeParse({ days }).data?.days;
  assert.deepEqual([daysOf(), daysOf("90"), daysOf("91")], [30, 90, undefined]);
});
