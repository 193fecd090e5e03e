import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
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
  ticketRecord,
} from "../../support/data/records.ts";
import { localTable, newHolder } from "../../support/service/testedService.ts";

const organisationId = 7500;

const put = async (...records: Parameters<typeof recordItem>[0][]) => {
  for (const record of records) await upsertRecord(localTable(), recordItem(record));
};

/** Reads a summary until it has these values. */
async function untilSummary(path: string, expected: Partial<Summary>): Promise<Summary> {
  for (;;) {
    const summary = Summary.parse(await client.json(path));
    if (isDeepStrictEqual({ ...summary, ...expected }, summary)) return summary;
    await wait(50);
  }
}

/** The rows of the table in a document whose first column has this name. */
function rowsOf(text: string, firstColumn: string): Record<string, string>[] {
  const [table = ""] = text.slice(text.indexOf(`| ${firstColumn} |`)).split("\n\n");
  const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const [names = [], , ...rows] = cells;
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""])));
}

const parents = { event_id: 50, date_id: 51 };
const guide = await readFile(new URL("../../../docs/integrators/guides/summaries.md", import.meta.url), "utf8");
const section = guide.slice(guide.indexOf("\n## An example\n"));
const [orders, tickets, payments] = ["order", "ticket", "payment"].map((name) => rowsOf(section, name));
const expected = JSON.parse(section.split("```json")[1]?.split("```")[0] ?? "");
const ticketOf = ({ ticket, order_id, status, price, original_price, checked_in }: Record<string, string>) =>
  ticketRecord(organisationId, Number(ticket), {
    ...parents,
    ticket_category_id: 52,
    order_id: Number(order_id),
    status: status as Ticket["status"],
    price: Number(price),
    original_price: Number(original_price),
    checked_in: checked_in === "true",
  });
const client = await newHolder(organisationId, ["write:balance_payments"]);

test("a summary of the example is as the guide shows it", async () => {
  await put(
    eventRecord(organisationId, parents.event_id, { currency: "EUR", currency_symbol: "€" }),
    dateRecord(organisationId, parents.event_id, parents.date_id),
    categoryRecord(organisationId, parents.event_id, 52, { people: 2 }),
    ...(orders ?? []).map(({ order, status, currency = null, discount_total, fee_total }) => {
      const totals = { discount_total: Number(discount_total), fee_total: Number(fee_total), tax_total: 0 };
      const fields = { ...parents, ...totals, status: status as Order["status"], currency };
      return orderRecord(organisationId, Number(order), fields);
    }),
    ...(tickets ?? []).map(ticketOf),
    ...(payments ?? []).map(({ payment, order_id, type, status, amount, currency }) =>
      paymentRecord(organisationId, Number(payment), {
        ...parents,
        order_id: Number(order_id) || null,
        type: type as Payment["type"],
        status: status as Payment["status"],
        amount: Number(amount),
        currency: currency || null,
      }),
    ),
  );
  const { date_generated: _, ...shown } = await untilSummary("/v1/events/50/summary", expected);
  assert.deepEqual(shown, expected);
  await untilSummary("/v1/dates/51/summary", { ...expected, date_id: 51 });
  const counted = (some: Record<string, string>[] = [], column = "") =>
    some.filter((row) => row[column] === "yes").length;
  assert.equal(counted(orders, "counted as sale"), shown.orders_count);
  assert.equal(counted(tickets, "counted as sold"), shown.tickets_sold);
});

test("a summary shows a change of the records within seconds", async () => {
  const [sold] = (tickets ?? []).filter((row) => row["counted as sold"] === "yes");
  await put(ticketOf({ ...sold, status: "void" }));
  const body = JSON.stringify({ type: "payment", amount: 500 });
  await client.call(recordBalancePayment, "/v1/events/50/balance-payments", { body });
  const changed = { tickets_sold: expected.tickets_sold - 1, people: expected.people - 2 };
  await untilSummary("/v1/events/50/summary", { ...changed, balance_paid_total: 500 });
  await untilSummary("/v1/dates/51/summary", { ...changed, balance_paid_total: 0 });
});
