import { test } from "node:test";
import { instantMs } from "../../../functions/resources/instant.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { demoProgrammes, demoSales as saleRecords } from "../../../local/demo/demoRecords.ts";

/** The day on which the demo data is true. */
export const now = "2026-11-01";

const records = [...demoProgrammes(), ...saleRecords()];

function dataOf<Type extends InputRecord["type"]>(type: Type, organisationId: number) {
  return records
    .filter((record): record is Extract<InputRecord, { type: Type }> => record.type === type)
    .filter(({ organisation_id }) => organisation_id === organisationId)
    .map((record) => record.data as Extract<InputRecord, { type: Type }>["data"]);
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** What one organisation sold, with the ways from one record to those that belong to it. */
function demoSales(organisationId: number) {
  const [orders, tickets, payments, discounts, attendees] = [
    dataOf("order", organisationId),
    dataOf("ticket", organisationId),
    dataOf("payment", organisationId),
    dataOf("discount", organisationId),
    dataOf("attendee", organisationId),
  ];
  const [ticketsOf, paymentsOf] = [
    Map.groupBy(tickets, (ticket) => ticket.order_id),
    Map.groupBy(payments, (payment) => payment.order_id),
  ];
  const categoryEvents = new Map(
    records.flatMap((record) =>
      record.type === "ticket_category" && record.organisation_id === organisationId
        ? [[record.data.id, record.event_id] as const]
        : [],
    ),
  );
  return {
    id: organisationId,
    orders: orders.map((order) => ({
      ...order,
      tickets: ticketsOf.get(order.id) ?? [],
      payments: paymentsOf.get(order.id) ?? [],
    })),
    tickets,
    payments,
    discounts,
    attendees,
    events: byId(dataOf("event", organisationId)),
    dates: byId(dataOf("event_date", organisationId)),
    categories: byId(dataOf("ticket_category", organisationId)),
    categoryEvents,
    orderById: byId(orders),
    ticketById: byId(tickets),
    discountById: byId(discounts),
    attendeeById: byId(attendees),
  };
}

export type DemoSales = ReturnType<typeof demoSales>;

/** What the two organisations sold. */
export const both = [demoSales(1), demoSales(2)] as const;

/** A test of what each organisation sold. */
export function eachOrganisation(guarantee: string, check: (sales: DemoSales) => void): void {
  for (const sales of both) test(`what organisation ${sales.id} sold ${guarantee}`, () => check(sales));
}

/** The payments, or refunds, of an order that went through. */
export function confirmed(order: DemoSales["orders"][number], type: "payment" | "refund") {
  return order.payments.filter((payment) => payment.type === type && payment.status === "confirmed");
}

export function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Whether instants come one after another, those that are null left out. */
export function isInOrder(...instants: (string | null)[]): boolean {
  const ms = instants.flatMap((instant) => (instant === null ? [] : [instantMs(instant)]));
  return ms.every((value, index) => index === 0 || (ms[index - 1] as number) <= value);
}
