import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import {
  paginate,
  recordBalancePayment,
  TicketingError,
  ticketingClient,
} from "../../../packages/client-typescript/index.ts";
import { attendeeRecord, dateRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { collect } from "../../support/http/client.ts";
import { baseUrl, localTable, newHolder } from "../../support/service/testedService.ts";

const organisationId = 7700;
const server = await newHolder(organisationId, ["write:balance_payments"]);
const stage = { baseUrl, apiKey: server.credential };
const client = ticketingClient(stage);

async function failureOf(call: Promise<unknown>): Promise<TicketingError> {
  const error = await call.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TicketingError, inspect(error));
  return error;
}

test("the TypeScript client only accepts declared paths, parameters and members", () => {
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

test("the TypeScript client never shows its key in an error", async () => {
  const apiKey = `${stage.apiKey.slice(0, -1)}${stage.apiKey.endsWith("a") ? "b" : "a"}`;
  const unreachable = ticketingClient({ baseUrl: "http://127.0.0.1:1", apiKey, wait: async () => {} });
  const refused = await failureOf(ticketingClient({ ...stage, apiKey }).GET("/v1/key"));
  assert.equal(refused.status, 401);
  for (const error of [refused, await unreachable.GET("/v1/key").catch((thrown: unknown) => thrown)])
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(apiKey.slice(4)));
});

test("the TypeScript client records a payment with every call, but only once with the same key", async () => {
  await putRecords([eventRecord(organisationId, 2)], localTable());
  const payment = { type: "payment", amount: 1250 } as const;
  await recordBalancePayment(client, 2, payment);
  await recordBalancePayment(client, 2, payment);
  const key = randomUUID();
  const first = await recordBalancePayment(client, 2, payment, key);
  assert.deepEqual(await recordBalancePayment(client, 2, payment, key), first);
  assert.equal(first.balance_after, 3 * payment.amount);
  assert.equal((await failureOf(recordBalancePayment(client, 2, { ...payment, amount: 1 }, key))).status, 422);
});

test("the TypeScript client lists the same rows as the service, with filters, a cursor and any page size", async () => {
  const [email, barcode] = ["grace+1@example.org", "0007"];
  const records = [1, 2, 3, 4, 5].flatMap((id) => [
    ticketRecord(organisationId, id, { order_id: 1, date_id: 1, barcode }),
    attendeeRecord(organisationId, id, { email }),
  ]);
  await putRecords([dateRecord(organisationId, 1, 1), orderRecord(organisationId, 1), ...records], localTable());
  const tickets = await server.rows("/v1/tickets?barcode=0007&expand=order,date");
  const attendees = await server.rows("/v1/attendees?email=grace%2B1%40example.org");
  assert.deepEqual([tickets.length, attendees.length], [5, 5]);
  for (const per_page of [1, 2, undefined]) {
    const size = per_page && { per_page };
    const ofTickets = { barcode, expand: ["order", "date"] as ("order" | "date")[], ...size };
    expect(await collect(paginate(client, "/v1/tickets", { params: { query: ofTickets } }))).toEqual(tickets);
    const { data } = await client.GET("/v1/attendees", { params: { query: { email, per_page: 2 } } });
    const query = { email, cursor: data.pagination.next_cursor ?? "", ...size };
    expect(await collect(paginate(client, "/v1/attendees", { params: { query } }))).toEqual(attendees.slice(2));
  }
});
