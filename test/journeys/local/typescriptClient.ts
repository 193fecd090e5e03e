import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import {
  type Change,
  CursorExpiredError,
  type ListPath,
  paginate,
  recordBalancePayment,
  syncChanges,
  TicketingError,
  ticketingClient,
} from "../../../packages/client-typescript/index.ts";
import { acceptedInstants, refusedInstants } from "../../support/data/instants.ts";
import { attendeeRecord, dateRecord, ticketRecord } from "../../support/data/records.ts";
import { clientOf, collect } from "../../support/http/client.ts";
import { acceptedAt, eventIds, orderIds, organisationId, stageOrder } from "../../support/service/integratorStage.ts";
import { journeyStage as stage } from "../../support/service/journeyStage.ts";

const client = ticketingClient(stage);
/** Its pages have 20 rows at most, where it asks for 200. */
const withShortPages = ticketingClient({
  ...stage,
  fetch: (request) => fetch(new Request(request.url.replace("per_page=200", "per_page=20"), request)),
});
const server = clientOf(stage.baseUrl, stage.apiKey);
const reader = ticketingClient({ baseUrl: `${stage.baseUrl}/`, apiKey: stage.readOnlyKey });

async function failureOf(call: Promise<unknown>): Promise<TicketingError> {
  const error = await call.then(
    () => assert.fail("The call should fail."),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof TicketingError, inspect(error));
  return error;
}

test("the TypeScript client passes on every text of a time, and the service judges it", async () => {
  for (const text of Object.keys(acceptedInstants)) {
    const found = await collect(paginate(client, "/v1/dates", { params: { query: { from: text } } }));
    assert.deepEqual(found, await server.rows(`/v1/dates?from=${encodeURIComponent(text)}`), text);
  }
  for (const text of Object.keys(refusedInstants)) {
    const error = await failureOf(client.GET("/v1/dates", { params: { query: { from: text } } }));
    assert.equal(error.code, "invalid_request", text);
  }
});

describe("the TypeScript client", () => {
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

  test("says how to start over if its cursor is too old to show every deletion", async () => {
    for (const start of [{ cursor: await stage.expiredCursor() }, { changedSince: acceptedAt(-30 * 24 * 60 * 60) }]) {
      const error = await failureOf(collect(syncChanges(client, start)));
      assert.ok(error instanceof CursorExpiredError);
      assert.match(error.message, /^410 cursor_expired .* Start over without a cursor and with an empty copy\. \(req/);
    }
  });
});

describe("the TypeScript client's syncChanges, over several pages,", () => {
  test("begins at a cursor or a time, and lists some types only", async () => {
    const all = await server.rows("/v1/changes");
    const second = eventIds.length - 30;
    const since = new Date(acceptedAt(second));
    const withOffset = new Date(since.getTime() + 2 * 60 * 60 * 1_000).toISOString().replace("Z", "+02:00");
    for (const types of [undefined, ["order"], ["event", "ticket"]] as const) {
      const listed = all.filter(({ type }) => types === undefined || types.some((name) => name === type));
      const later = listed.filter(({ changed_at }) => String(changed_at) >= since.toISOString());
      const query = { per_page: 7, types: types && [...types] };
      const cursor = (await client.GET("/v1/changes", { params: { query } })).data.pagination.resume_cursor;
      for (const [start, expected] of [
        [{}, listed],
        [{ changedSince: since }, later],
        [{ changedSince: since.toISOString() }, later],
        [{ changedSince: withOffset }, later],
        [{ cursor }, listed.slice(7)],
        [{ cursor, changedSince: since }, listed.slice(7)],
      ] as const) {
        const pages = await collect(syncChanges(withShortPages, { ...start, types }));
        assert.ok(pages.length > 1, `${pages.length} pages`);
        expect(pages.flatMap(({ changes }) => changes)).toEqual(expected);
      }
    }
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

describe("the TypeScript client's paginate", () => {
  const ids = [1, 2, 3, 4, 5];
  const startOf = (id: number) => `2027-03-0${id}T10:00:00Z`;

  /** Lists a path with and without a cursor at its start, in pages of every size. */
  async function assertLists(path: ListPath, params: { path?: { id: number }; query?: object }, expected: unknown[]) {
    // The types know each path, but not a variable one.
    const list = path as "/v1/events/{id}/dates";
    assert.ok(expected.length > 2, path);
    const request = (query: object) => ({
      params: { path: { id: 0 }, ...params, query: { ...params.query, ...query } },
    });
    const { data } = await client.GET(list, request({ per_page: 2 }));
    const cursor = data.pagination.next_cursor ?? "";
    for (const per_page of [1, 2, undefined]) {
      const size = per_page && { per_page };
      expect(await collect(paginate(client, list, request({ ...size })))).toEqual(expected);
      expect(await collect(paginate(client, list, request({ ...size, cursor })))).toEqual(expected.slice(2));
    }
  }

  test("lists the same rows with every filter, cursor and page size", async () => {
    await stage.put(
      ...ids.map((id) => dateRecord(organisationId, 3, id, { date: startOf(id) })),
      ...ids.map((id) => ticketRecord(organisationId, id, { order_id: 1, date_id: 1, barcode: "0007" })),
      ...ids.map((id) => attendeeRecord(organisationId, id, { email: "grace+1@example.org" })),
    );
    const rows = async (path: string) => await server.rows(path);
    const path = { id: 3 };
    await assertLists("/v1/events/{id}/dates", { path }, await rows("/v1/events/3/dates"));
    await assertLists("/v1/orders/{id}/tickets", { path: { id: 1 } }, await rows("/v1/orders/1/tickets"));
    const dates = (await rows("/v1/dates")).filter(({ id }) => id !== 1 && id !== 5);
    for (const [from, to] of [
      [new Date(startOf(2)), new Date(startOf(5))],
      ["2027-03-02T12:00+02:00", "2027-03-05"],
      ["2027-03-02", startOf(5)],
    ] as const)
      await assertLists("/v1/dates", { query: { from, to } }, dates);
    const tickets = await rows("/v1/tickets?barcode=0007&expand=order,date");
    await assertLists("/v1/tickets", { query: { barcode: "0007", expand: ["order", "date"] } }, tickets);
    const email = "grace+1@example.org";
    await assertLists("/v1/attendees", { query: { email } }, await rows("/v1/attendees?email=grace%2B1%40example.org"));
    const changes = (await rows("/v1/changes?types=ticket,attendee")).slice(1);
    const since = String(changes[0]?.changed_at);
    for (const changed_since of [since, new Date(since)])
      await assertLists("/v1/changes", { query: { changed_since, types: ["attendee", "ticket"] } }, changes);
  });
});
