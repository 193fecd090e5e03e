import type { SentRecord } from "./limitRecords.ts";
import { recordOf } from "./records.ts";

const sailing = "1912-04-10T12:00";
const ofSailing = { event_id: 1, date_id: 1, date_created: sailing, date_modified: sailing };
const amounts = [
  "subtotal",
  "discount_total",
  "fee_total",
  "tax_total",
  "total",
  "paid_total",
  "refunded_total",
  "balance",
];

/** An order for each ticket of a ship, and a ticket and an attendee for each passenger. Some passengers have a ticket that the list of tickets lacks. */
export function passengerRecords(organisationId: number, passengers: string, tickets: string): SentRecord[] {
  const people = rowsOf(passengers);
  const listed = new Map(rowsOf(tickets).map(({ Ticket, ...bought }) => [Ticket, bought]));
  const numbers = [...new Set([...listed.keys(), ...people.map(({ Ticket }) => Ticket)])];
  const priceOf = (ticket: string | undefined) => Math.round(Number(listed.get(ticket)?.Fare ?? 0) * 100);
  const orders = numbers.map((reference, index) => {
    const { Fare: admin_note = null, Embarked: source = null } = listed.get(reference) ?? {};
    const totals = Object.fromEntries(amounts.map((name) => [name, priceOf(reference)]));
    const order = { id: index + 1, ...ofSailing, reference, status: "paid", ...totals, source, admin_note };
    return recordOf("order", organisationId, order);
  });
  const places = people.flatMap(({ PassengerId, Pclass, Name = "", Sex, Age, Ticket }) => {
    const id = Number(PassengerId);
    const own = { ...ofSailing, id, order_id: numbers.indexOf(Ticket) + 1, ticket_category_id: Number(Pclass) };
    const price = { price: priceOf(Ticket), original_price: priceOf(Ticket) };
    const place = { attendee_id: id, barcode: Ticket, seat: listed.get(Ticket)?.Cabin || null, status: "valid" };
    const [last_name, first_name] = Name.split(/, (.*)/);
    const answers = [
      { question_id: 1, question: "Sex", answer: Sex },
      { question_id: 2, question: "Age", answer: Age || null },
    ];
    return [
      recordOf("ticket", organisationId, { ...own, ...place, ...price, checked_in: false }),
      recordOf("attendee", organisationId, {
        ...own,
        ticket_id: id,
        last_name,
        first_name,
        answers,
        status: "aboard",
        checked_in: false,
      }),
    ];
  });
  const voyage = { id: 1, organisation_id: organisationId, tag: "voyage", name: "Voyage" };
  return [
    recordOf("event", organisationId, voyage),
    recordOf("event_date", organisationId, { id: 1, event_id: 1, date: sailing, time_type: 0 }),
    ...orders,
    ...places,
  ];
}

/** The rows of a CSV file (RFC 4180) by the names in its first line. */
function rowsOf(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = csv
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cellOf));
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])));
}

function cellOf([, quoted, plain = ""]: RegExpExecArray): string {
  return quoted === undefined ? plain : quoted.replaceAll('""', '"');
}
