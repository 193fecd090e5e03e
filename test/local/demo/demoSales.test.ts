import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { demoBalancePaymentItems } from "../../../local/demo/demoBalancePayments.ts";
import { demoLines, demoRecords } from "../../../local/demo/demoRecords.ts";

const records = demoRecords();
const deletions = demoLines().filter((line) => "deleted" in line);

function dataOf<Type extends InputRecord["type"]>(type: Type, organisationId: number) {
  return records
    .filter((record): record is Extract<InputRecord, { type: Type }> => record.type === type)
    .filter(({ organisation_id }) => organisation_id === organisationId)
    .map((record) => record.data as Extract<InputRecord, { type: Type }>["data"]);
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

test("each record follows the records that it belongs to, in its own organisation, and agrees with them", () => {
  const seen = new Map<string, object>(deletions.map((one) => [`${one.organisation_id} ${one.type} ${one.id}`, {}]));
  for (const { type, organisation_id, data, ...envelope } of records) {
    const fields = Object.entries({ ...data, ...envelope });
    for (const [field, id] of fields) {
      const parent = /^(?:refunded_)?(event|date|ticket_category|order|discount|ticket|payment)_id$/.exec(field)?.[1];
      if (!parent || id === null) continue;
      const found = seen.get(`${organisation_id} ${parent === "date" ? "event_date" : parent} ${id}`);
      assert.ok(found, `${type} ${data.id} of ${organisation_id}: ${field}`);
      for (const name of ["event_id", "date_id", "order_id"] as const) {
        const [own] = fields.filter(([other]) => other === name);
        if (own && own[1] !== null && name in found) assert.equal(Object(found)[name], own[1]);
      }
    }
    seen.set(`${organisation_id} ${type} ${data.id}`, { ...data, ...envelope });
  }
});

/** Cases in which a program that closes a month is easily wrong; all in the first organisation. */
describe("for accounts, the demo has", () => {
  const payments = dataOf("payment", 1);
  const confirmed = payments.filter(({ status }) => status === "confirmed");
  const events = new Map(dataOf("event", 1).map((event) => [event.id, event]));
  const monthIn = (zone: string, time: string | null) =>
    time === null ? undefined : new Intl.DateTimeFormat("en", { timeZone: zone, month: "long" }).format(new Date(time));
  const localMonth = ({ event_id, date_completed }: (typeof payments)[number]) =>
    monthIn(events.get(event_id)?.time_zone_id ?? "UTC", date_completed);

  test.each([
    ["at 23:30 UTC on a month's last day", /-31T23:30:00Z$/],
    ["at 00:15 local time on a month's first day", /-01T00:15:00\+01:00$/],
  ])("a payment %s, in another month than in UTC", (_, form) => {
    const payment = confirmed.find(({ date_completed }) => form.test(date_completed ?? "")) ?? assert.fail();
    assert.notEqual(localMonth(payment), monthIn("UTC", payment.date_completed));
  });

  test("a confirmed payment without a time of completion, and a refund in the month after its payment", () => {
    assert.ok(confirmed.some(({ date_completed }) => date_completed === null));
    const refunds = confirmed.filter(({ refunded_payment_id: id, ...refund }) => {
      const payment = confirmed.find((one) => one.id === id);
      return payment && localMonth(payment) !== localMonth({ ...refund, refunded_payment_id: id });
    });
    assert.ok(refunds.length > 0);
  });

  test("a donation, several currencies, and a payment whose order is deleted", () => {
    assert.ok(confirmed.some(({ order_id }) => order_id === null));
    assert.ok(new Set(confirmed.map(({ event_id }) => events.get(event_id)?.currency)).size > 2);
    const deleted = deletions.filter(({ type }) => type === "order").map((deletion) => deletion.id);
    assert.ok(confirmed.some(({ order_id }) => order_id !== null && deleted.includes(order_id)));
  });

  test("an id that two types share, and balance payments, whose ids have 15 digits", () => {
    const ids = dataOf("ticket", 1).map(({ id }) => id);
    assert.ok(dataOf("attendee", 1).some(({ id }) => ids.includes(id)));
    for (const { id } of demoBalancePaymentItems()) assert.match(String(id), /^\d{15}$/);
  });
});

for (const organisationId of [1, 2]) {
  const [tickets, payments, attendees] = [
    dataOf("ticket", organisationId),
    dataOf("payment", organisationId),
    dataOf("attendee", organisationId),
  ];
  const events = new Map(dataOf("event", organisationId).map((row) => [row.id, row]));
  const orders = dataOf("order", organisationId).map((order) => {
    const own = payments.filter(({ order_id }) => order_id === order.id);
    const confirmed = own.filter(({ status }) => status === "confirmed");
    return {
      ...order,
      tickets: tickets.filter(({ order_id }) => order_id === order.id),
      paid: confirmed.filter(({ type }) => type === "payment"),
      refunded: confirmed.filter(({ type }) => type === "refund"),
    };
  });

  test(`organisation ${organisationId}: an order's amounts match its tickets and confirmed payments`, () => {
    for (const order of orders) {
      assert.equal(order.subtotal, sum(order.tickets.map((ticket) => ticket.original_price)));
      assert.equal(order.discount_total, sum(order.tickets.map((ticket) => ticket.original_price - ticket.price)));
      assert.equal(order.total, order.subtotal - order.discount_total + order.fee_total + order.tax_total);
      assert.equal(order.paid_total, sum(order.paid.map(({ amount }) => amount)));
      assert.equal(order.refunded_total, sum(order.refunded.map(({ amount }) => amount)));
      const stands = order.status === "paid" || order.status === "pending";
      assert.equal(order.balance, stands ? order.total - order.paid_total : 0);
      assert.ok(order.refunded_total <= order.paid_total && order.paid_total <= order.total);
      assert.equal(events.get(order.event_id)?.currency_symbol, order.currency_symbol);
    }
  });

  test(`organisation ${organisationId}: names are in many scripts, and no address can be a real person's`, () => {
    const people = [...orders, ...attendees];
    const written = people.map(({ first_name, last_name }) => `${first_name} ${last_name}`).join();
    for (const script of [/\p{Script=Greek}/u, /\p{Script=Han}/u, /[øåłþğ]/]) assert.match(written, script);
    for (const { email, phone } of people) {
      assert.match(email ?? "a@b.example", /^[a-z0-9.-]+@([a-z]+\.example|example\.org)$/i);
      // Ranges that regulators reserve for fiction.
      assert.match(phone ?? "+44 1632 960000", /^(\+44 20 7946 0\d{3}|\+44 1632 960\d{3}|\+1 612 555 01\d\d)$/);
    }
  });
}
