import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "@jest/globals";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
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
import { clientOf } from "../../support/http/client.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

const organisationId = 7500;
const [eventId, dateId, categoryId] = [21, 22, 23];
const parents = { event_id: eventId, date_id: dateId };

test("summaries follow imports and records", async () => {
  const table = localTable();
  const { key } = await apiKeyRepository(organisationId, table).create(
    "Summaries",
    ["write:balance_payments"],
    someone,
  );
  const client = clientOf(baseUrl, key);
  const put = async (...records: Parameters<typeof recordItem>[0][]) => {
    for (const record of records) await upsertRecord(table, recordItem(record));
  };
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
    paymentRecord(organisationId, 1, { ...parents, type: "payment", status: "confirmed", amount: 1_430 }),
  );
  await client.call(recordBalancePayment, `/v1/events/${eventId}/balance-payments`, {
    body: JSON.stringify({ type: "payment", amount: 500 }),
  });
  const sold = { orders_count: 1, tickets_sold: 2, people: 4, gross: 1_400, fee_total: 30, net: 1_430 };
  await untilSummary(`/v1/events/${eventId}/summary`, { ...sold, balance_paid_total: 500 });
  await untilSummary(`/v1/dates/${dateId}/summary`, { ...sold, balance_paid_total: 0 });
  await put(ticket(2, "void"));
  await untilSummary(`/v1/dates/${dateId}/summary`, { ...sold, tickets_sold: 1, people: 2, gross: 700 });

  async function untilSummary(path: string, expected: Partial<Summary>): Promise<void> {
    for (;;) {
      const summary: Record<string, unknown> = Summary.parse(await client.json(path));
      const differing = Object.entries(expected).filter(([name, value]) => summary[name] !== value);
      if (differing.length === 0) return;
      await wait(50);
    }
  }
});

test("the summary of another organisation's event or date is not found", async () => {
  const { key } = await apiKeyRepository(organisationId + 1, localTable()).create("Other", [], someone);
  for (const path of [`/v1/events/${eventId}/summary`, `/v1/dates/${dateId}/summary`]) {
    assert.equal((await clientOf(baseUrl, key).get(path)).status, 404);
  }
});
