import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import type { Scope } from "../../../functions/keys/apiKeyPrincipal.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import { Summary } from "../../../functions/summaries/summary.ts";
import {
  categoryRecord,
  dateRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  someone,
  ticketRecord,
} from "../../support/data/records.ts";
import { type Client, clientOf } from "../../support/http/client.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

const organisationId = 7500;
const [eventId, dateId, categoryId] = [21, 22, 23];
const parents = { event_id: eventId, date_id: dateId };

const put = async (...records: Parameters<typeof recordItem>[0][]) => {
  for (const record of records) await upsertRecord(localTable(), recordItem(record));
};

async function clientOfOrganisation(organisation: number, ...scopes: Scope[]) {
  const { key } = await apiKeyRepository(organisation, localTable()).create("Summaries", scopes, someone);
  return clientOf(baseUrl, key);
}

/** Reads a summary until it has these values. */
async function untilSummary(client: Client, path: string, expected: Partial<Summary>): Promise<Summary> {
  for (;;) {
    const summary = Summary.parse(await client.json(path));
    if (isDeepStrictEqual({ ...summary, ...expected }, summary)) return summary;
    await wait(50);
  }
}

test("summaries follow imports and records", async () => {
  const client = await clientOfOrganisation(organisationId, "write:balance_payments");
  const ticket = (id: number, status: "valid" | "void") =>
    ticketRecord(organisationId, id, {
      ...parents,
      ticket_category_id: categoryId,
      order_id: 1,
      status,
      original_price: 700,
    });

  await put(
    eventRecord(organisationId, eventId),
    dateRecord(organisationId, eventId, dateId),
    categoryRecord(organisationId, eventId, categoryId, { people: 2 }),
    orderRecord(organisationId, 1, { ...parents, status: "paid", fee_total: 30, discount_total: 0, tax_total: 0 }),
    ticket(1, "valid"),
    ticket(2, "valid"),
    paymentRecord(organisationId, 1, { ...parents, order_id: 1, type: "payment", status: "confirmed", amount: 1_430 }),
  );
  await client.call(recordBalancePayment, `/v1/events/${eventId}/balance-payments`, {
    body: JSON.stringify({ type: "payment", amount: 500 }),
  });
  const sold = { orders_count: 1, tickets_sold: 2, people: 4, gross: 1_400, fee_total: 30, net: 1_430 };
  await untilSummary(client, `/v1/events/${eventId}/summary`, { ...sold, balance_paid_total: 500 });
  await untilSummary(client, `/v1/dates/${dateId}/summary`, { ...sold, balance_paid_total: 0 });
  await put(ticket(2, "void"));
  await untilSummary(client, `/v1/dates/${dateId}/summary`, { ...sold, tickets_sold: 1, people: 2, gross: 700 });
});

/** The rows of the table in a document whose first column has this name. */
function rowsOf(text: string, firstColumn: string): Record<string, string>[] {
  const [table = ""] = text.slice(text.indexOf(`| ${firstColumn} |`)).split("\n\n");
  const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const [names = [], , ...rows] = cells;
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""])));
}

test("the example in the contract has the summary that the contract shows", async () => {
  const own = organisationId + 2;
  const ofDate = { event_id: 50, date_id: 51 };
  const contract = await readFile(new URL("../../../docs/integrators/http-contract.md", import.meta.url), "utf8");
  const section = contract.slice(contract.indexOf("\n## Summaries\n"));
  const rows = {
    orders: rowsOf(section, "order"),
    tickets: rowsOf(section, "ticket"),
    payments: rowsOf(section, "payment"),
  };
  const expected = JSON.parse(section.split("```json")[1]?.split("```")[0] ?? "");

  await put(
    eventRecord(own, ofDate.event_id, { currency: "EUR", currency_symbol: "€" }),
    dateRecord(own, ofDate.event_id, ofDate.date_id),
    categoryRecord(own, ofDate.event_id, 52, { people: 2 }),
    ...rows.orders.map(({ order, status, currency = null, discount_total, fee_total }) => {
      const totals = { discount_total: Number(discount_total), fee_total: Number(fee_total), tax_total: 0 };
      return orderRecord(own, Number(order), { ...ofDate, ...totals, status: status as Order["status"], currency });
    }),
    ...rows.tickets.map(({ ticket, order_id, status, original_price, checked_in }) =>
      ticketRecord(own, Number(ticket), {
        ...ofDate,
        ticket_category_id: 52,
        order_id: Number(order_id),
        status: status as Ticket["status"],
        original_price: Number(original_price),
        checked_in: checked_in === "true",
      }),
    ),
    ...rows.payments.map(({ payment, order_id, type, status, amount }) =>
      paymentRecord(own, Number(payment), {
        ...ofDate,
        order_id: Number(order_id) || null,
        type: type as Payment["type"],
        status: status as Payment["status"],
        amount: Number(amount),
      }),
    ),
  );

  const client = await clientOfOrganisation(own);
  const { date_generated: _, ...shown } = await untilSummary(client, "/v1/events/50/summary", expected);
  assert.deepEqual(shown, expected);
  await untilSummary(client, "/v1/dates/51/summary", { ...expected, date_id: 51 });
  const counted = (some: Record<string, string>[], column: string) =>
    some.filter((row) => row[column] === "yes").length;
  assert.equal(counted(rows.orders, "counted as sale"), shown.orders_count);
  assert.equal(counted(rows.tickets, "counted as sold"), shown.tickets_sold);
});
