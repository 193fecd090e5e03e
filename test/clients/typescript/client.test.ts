import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { inspect, promisify } from "node:util";
import {
  type components,
  paginate,
  recordBalancePayment,
  syncOrders,
  type TicketingClient,
  TicketingError,
  ticketingClient,
} from "../../../clients/typescript/index.ts";
import { collect } from "../../support/collect.ts";
import { acceptedAt, eventIds, orderIds, organisationId, startIntegratorStage } from "../../support/integratorStage.ts";

let stage: Awaited<ReturnType<typeof startIntegratorStage>>;
let client: TicketingClient;
let reader: TicketingClient;

before(async () => {
  stage = await startIntegratorStage();
  client = ticketingClient(stage);
  reader = ticketingClient({ baseUrl: `${stage.baseUrl}/`, apiKey: stage.readOnlyKey });
});

async function failureOf(call: Promise<unknown>): Promise<TicketingError> {
  const error = await call.then(
    () => assert.fail("It should fail."),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof TicketingError, inspect(error));
  return error;
}

describe("a client", () => {
  test("gets what is at a path, with its type", async () => {
    const { data, response } = await client.GET("/v1/events/{id}", { params: { path: { id: 7 } } });
    const event: components["schemas"]["Event"] = data;
    assert.equal(event.id, 7);
    assert.equal(response.status, 200);
  });

  test("knows which paths, parameters and members there are", () => {
    // Never run: what matters is that each line below one of these comments does not compile.
    const misuse = () => [
      // @ts-expect-error: there is no such path.
      client.GET("/v1/nothing"),
      // @ts-expect-error: the id is missing.
      client.GET("/v1/events/{id}"),
      // @ts-expect-error: there is no such parameter.
      client.GET("/v1/events", { params: { query: { perPage: 5 } } }),
      // @ts-expect-error: this is not a list.
      paginate(client, "/v1/events/{id}", { params: { path: { id: 1 } } }),
      // @ts-expect-error: the body is missing.
      client.PATCH("/v1/orders/{id}", { params: { path: { id: 1 } } }),
      // @ts-expect-error: an amount is a number.
      recordBalancePayment(client, 1, { type: "payment", amount: "12.50" }),
    ];
    assert.equal(typeof misuse, "function");
  });

  test("throws what is no success, with all that the API says of it", async () => {
    const missing = await failureOf(client.GET("/v1/events/{id}", { params: { path: { id: 999 } } }));
    assert.deepEqual([missing.status, missing.code, missing.detail], [404, "not_found", "No such event."]);
    assert.match(missing.message, /^404 not_found No such event\. \(request \S+\)$/);
    assert.ok(missing.requestId && missing.message.includes(missing.requestId));
    const invalid = await failureOf(client.GET("/v1/events", { params: { query: { per_page: 500 } } }));
    assert.deepEqual(invalid.errors, [{ parameter: "per_page", detail: "Must be an integer from 1 to 200." }]);
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
    for (const bad of [`${apiKey}\n${apiKey}`, `${apiKey}\n`, "", "€"]) {
      assert.throws(() => ticketingClient({ ...stage, apiKey: bad }), {
        name: "TypeError",
        message: "The API key contains invalid characters.",
      });
    }
  });
});

describe("paginate", () => {
  test("gives every row of a list once, in its order, over all pages", async () => {
    for (const request of [{}, { params: { query: { per_page: 17 } } }]) {
      const ids: number[] = [];
      for await (const event of paginate(client, "/v1/events", request)) ids.push(event.id);
      // All were created at once: the later id comes first.
      assert.deepEqual(ids, eventIds.toReversed());
    }
  });

  test("goes on from a cursor", async () => {
    const query = { per_page: 200 };
    const { data } = await client.GET("/v1/events", { params: { query } });
    const cursor = data.pagination.next_cursor ?? "";
    const rows = await collect(paginate(client, "/v1/events", { params: { query: { cursor } } }));
    assert.equal(rows.length, eventIds.length - query.per_page);
  });

  test("gives the rows of a child list, and throws where its parent is unknown", async () => {
    const dates = (id: number) => paginate(client, "/v1/events/{id}/dates", { params: { path: { id } } });
    assert.deepEqual(await collect(dates(1)), []);
    assert.equal((await failureOf(collect(dates(999)))).status, 404);
  });
});

describe("syncOrders", () => {
  test("gives every order, and a cursor from which later changes alone come", async () => {
    const copy = new Map<number, string>();
    let cursor: string | undefined;
    const sync = async () => {
      let stored = 0;
      for await (const { orders, resumeCursor } of syncOrders(client, { cursor })) {
        for (const { id, reference } of orders) copy.set(id, reference);
        stored += orders.length;
        cursor = resumeCursor;
      }
      return stored;
    };
    assert.equal(await sync(), orderIds.length);
    assert.deepEqual([...copy.keys()], orderIds);
    assert.equal(await sync(), 0);
    await stage.changeOrder(3, acceptedAt(1_000), "CHANGED");
    assert.equal(await sync(), 1);
    assert.equal(copy.get(3), "CHANGED");
  });

  test("begins with the changes accepted at a time or later", async () => {
    const pages = await collect(syncOrders(client, { changedSince: acceptedAt(orderIds.length) }));
    assert.deepEqual(
      pages.flatMap(({ orders }) => orders.map(({ id }) => id)),
      [orderIds.length, 3],
    );
  });
});

describe("recordBalancePayment", () => {
  const balance = (id: number) =>
    collect(paginate(client, "/v1/events/{id}/balance-payments", { params: { path: { id } } }));

  test("records again when called again, and only once under one key", async () => {
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

test("the README's example runs as it stands", async () => {
  const folder = new URL("../../../clients/typescript/", import.meta.url);
  const [, example = ""] = /^```ts\n(.*?)^```$/ms.exec(await readFile(new URL("README.md", folder), "utf8")) ?? [];
  const directory = await mkdtemp(join(tmpdir(), "ticketing-client-"));
  const file = join(directory, "example.ts");
  await writeFile(file, example.replace("@ticketing/client", new URL("index.ts", folder).href));
  const env = { BASE_URL: stage.baseUrl, API_KEY: stage.apiKey };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  await rm(directory, { recursive: true });
  const pages = [200, 200, orderIds.length - 400].map((size) => `${size} orders`);
  const shown = [`organisation ${organisationId}`, `${eventIds.length} events`, ...pages, "404 not_found"];
  assert.deepEqual(stdout.trim().split("\n"), shown);
});
