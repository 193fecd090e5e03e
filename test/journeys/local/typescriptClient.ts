import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import {
  type Change,
  CursorExpiredError,
  type components,
  paginate,
  recordBalancePayment,
  type SyncStart,
  syncChanges,
  TicketingError,
  ticketingClient,
} from "../../../clients/typescript/index.ts";
import { collect } from "../../support/http/client.ts";
import { acceptedAt, eventIds, orderIds, organisationId, stageOrder } from "../../support/service/integratorStage.ts";
import { journeyStage as stage } from "../../support/service/journeyStage.ts";

const client = ticketingClient(stage);
const reader = ticketingClient({ baseUrl: `${stage.baseUrl}/`, apiKey: stage.readOnlyKey });

async function failureOf(call: Promise<unknown>): Promise<TicketingError> {
  const error = await call.then(
    () => assert.fail("The call should fail."),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof TicketingError, inspect(error));
  return error;
}

describe("the TypeScript client", () => {
  test("returns a resource with its type", async () => {
    const { data, response } = await client.GET("/v1/events/{id}", { params: { path: { id: 7 } } });
    const event: components["schemas"]["Event"] = data;
    assert.equal(event.id, 7);
    assert.equal(response.status, 200);
  });

  test("only accepts declared paths, parameters and members", () => {
    // Never run: each line below one of these comments must fail to compile.
    const misuse = () => [
      // @ts-expect-error: the path does not exist.
      client.GET("/v1/nothing"),
      // @ts-expect-error: the id is missing.
      client.GET("/v1/events/{id}"),
      // @ts-expect-error: the parameter does not exist.
      client.GET("/v1/events", { params: { query: { perPage: 5 } } }),
      // @ts-expect-error: the path is not a list.
      paginate(client, "/v1/events/{id}", { params: { path: { id: 1 } } }),
      // @ts-expect-error: the body is missing.
      client.PATCH("/v1/orders/{id}", { params: { path: { id: 1 } } }),
      // @ts-expect-error: an amount is a number.
      recordBalancePayment(client, 1, { type: "payment", amount: "12.50" }),
    ];
    assert.equal(typeof misuse, "function");
  });

  test("throws an error response with all of its details", async () => {
    const missing = await failureOf(client.GET("/v1/events/{id}", { params: { path: { id: 999 } } }));
    assert.deepEqual([missing.status, missing.code, missing.detail], [404, "not_found", "No such event."]);
    assert.match(missing.message, /^404 not_found No such event\. \(request \S+\)$/);
    assert.ok(missing.requestId && missing.message.includes(missing.requestId));
    const invalid = await failureOf(client.GET("/v1/events", { params: { query: { per_page: 500 } } }));
    expect(invalid.errors).toEqual([{ parameter: "per_page", detail: "Must be an integer from 1 to 200." }]);
    const forbidden = await failureOf(recordBalancePayment(reader, 1, { type: "payment", amount: 1 }));
    assert.deepEqual([forbidden.code, forbidden.requiredScope], ["forbidden", "write:balance_payments"]);
  });

  test("never shows its key in an error", async () => {
    const apiKey = `${stage.apiKey.slice(0, -1)}${stage.apiKey.endsWith("a") ? "b" : "a"}`;
    const { status } = await failureOf(ticketingClient({ ...stage, apiKey }).GET("/v1/key"));
    assert.equal(status, 401);
    const errors = [
      await failureOf(ticketingClient({ ...stage, apiKey }).GET("/v1/key")),
      await ticketingClient({ baseUrl: "http://127.0.0.1:1", apiKey, wait: async () => {} })
        .GET("/v1/key")
        .catch((error: unknown) => error),
    ];
    for (const error of errors) assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(apiKey.slice(4)));
    for (const bad of [`${apiKey}\n${apiKey}`, `${apiKey}\n`, "€"]) {
      assert.throws(() => ticketingClient({ ...stage, apiKey: bad }), {
        name: "TypeError",
        message: "The API key contains invalid characters.",
      });
    }
  });
});

describe("the TypeScript client's paginate", () => {
  test("returns every row of a list once, in order, over all pages", async () => {
    for (const request of [{}, { params: { query: { per_page: 17 } } }]) {
      const ids: number[] = [];
      for await (const event of paginate(client, "/v1/events", request)) ids.push(event.id);
      // All have the same creation time, so the highest id comes first.
      assert.deepEqual(ids, eventIds.toReversed());
    }
  });

  test("continues from a cursor", async () => {
    const query = { per_page: 200 };
    const { data } = await client.GET("/v1/events", { params: { query } });
    const cursor = data.pagination.next_cursor ?? "";
    const rows = await collect(paginate(client, "/v1/events", { params: { query: { cursor } } }));
    assert.equal(rows.length, eventIds.length - query.per_page);
  });

  test("returns the rows of a child list, and throws if the parent is unknown", async () => {
    const dates = (id: number) => paginate(client, "/v1/events/{id}/dates", { params: { path: { id } } });
    assert.deepEqual(await collect(dates(1)), []);
    assert.equal((await failureOf(collect(dates(999)))).status, 404);
  });
});

describe("the TypeScript client's syncChanges", () => {
  test("returns every resource, and a cursor after which only later changes and deletions come", async () => {
    const copy = new Map<string, Change>();
    let cursor: string | undefined;
    const sync = async () => {
      let stored = 0;
      for await (const { changes, resumeCursor } of syncChanges(client, { cursor })) {
        for (const change of changes) copy.set(`${change.type} ${change.id}`, change);
        stored += changes.length;
        cursor = resumeCursor;
      }
      return stored;
    };
    assert.equal(await sync(), eventIds.length + orderIds.length);
    const keys = [...eventIds.map((id) => `event ${id}`), ...orderIds.map((id) => `order ${id}`)];
    assert.deepEqual([...copy.keys()], keys);
    assert.equal(await sync(), 0);
    await stage.put(stageOrder(3, "CHANGED"));
    await stage.remove({ type: "event", organisation_id: organisationId, id: 230, deleted: true, version: 1 });
    assert.equal(await sync(), 2);
    expect(copy.get("order 3")).toMatchObject({ change: "upserted", data: { id: 3, reference: "CHANGED" } });
    expect(copy.get("event 230")).toMatchObject({ change: "deleted", data: null });
  });

  test("can begin with the changes accepted at or after a time, and list some types only", async () => {
    const changedSince = acceptedAt(eventIds.length + orderIds.length);
    const idsOf = async (start: SyncStart) =>
      (await collect(syncChanges(client, start))).flatMap(({ changes }) => changes.map(({ id }) => id));
    assert.deepEqual(await idsOf({ changedSince }), [orderIds.length, 3, 230]);
    assert.deepEqual(await idsOf({ changedSince, types: ["order"] }), [orderIds.length, 3]);
    assert.deepEqual(await idsOf({ changedSince, types: ["event", "ticket"] }), [230]);
  });

  test("says how to start over if its cursor is too old to show every deletion", async () => {
    for (const start of [{ cursor: await stage.expiredCursor() }, { changedSince: acceptedAt(-30 * 24 * 60 * 60) }]) {
      const error = await failureOf(collect(syncChanges(client, start)));
      assert.ok(error instanceof CursorExpiredError);
      assert.match(error.message, /^410 cursor_expired .* Start over without a cursor and with an empty copy\. \(req/);
    }
  });

  test("rejects a cursor of other types", async () => {
    const [page] = await collect(syncChanges(client, { types: ["order"] })).then((pages) => pages.slice(-1));
    const cursor = page?.resumeCursor;
    assert.equal((await failureOf(collect(syncChanges(client, { cursor })))).status, 400);
    assert.equal((await collect(syncChanges(client, { cursor, types: ["order"] }))).length, 1);
  });
});

describe("the TypeScript client's recordBalancePayment", () => {
  const balance = (id: number) =>
    collect(paginate(client, "/v1/events/{id}/balance-payments", { params: { path: { id } } }));

  test("records a payment with every call, but only once with the same key", async () => {
    const payment = { type: "payment", amount: 1250 } as const;
    await recordBalancePayment(client, 2, payment);
    await recordBalancePayment(client, 2, payment);
    const key = randomUUID();
    const first = await recordBalancePayment(client, 2, payment, key);
    assert.deepEqual(await recordBalancePayment(client, 2, payment, key), first);
    assert.equal(first.balance_after, 3 * payment.amount);
    assert.equal((await balance(2)).length, 3);
    assert.equal((await failureOf(recordBalancePayment(client, 2, { ...payment, amount: 1 }, key))).status, 422);
  });
});
