import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, test } from "@jest/globals";
import { ndjson, runImport } from "../cli/support/runProgram.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { calendarRecords } from "./support/calendar.ts";
import type { SentRecord } from "./support/limitRecords.ts";
import { passengerRecords } from "./support/passengers.ts";
import { assertServed, type Row, rowsOf } from "./support/reads.ts";
import { sessionRecords } from "./support/sessions.ts";

const textOf = (file: string) => readFileSync(join(import.meta.dirname, "files", file), "utf8");

let target: string[] = [];
beforeAll(async () => {
  const { endpoint, tableName } = await useTestTable();
  target = ["--endpoint", endpoint, "--table", tableName];
});

const importRecords = (records: SentRecord[]) => runImport(["-", ...target], { stdin: ndjson(records) });

async function importAll(records: SentRecord[]): Promise<void> {
  const { code, stderr } = await importRecords(records);
  assert.deepEqual([code, stderr], [0, ""]);
}

/** A record with another value in one field, which is refused for this reason. */
async function assertRefused(record: SentRecord | undefined, field: string, value: unknown, reason: string) {
  assert.ok(record && field in record.data);
  const { code, stderr } = await importRecords([{ ...record, data: { ...record.data, [field]: value } }]);
  assert.deepEqual([code, stderr], [1, `line 1: data.${field}: ${reason}\n`]);
}

const wrongInstant =
  "Must be a date, YYYY-MM-DD, or a date and time, YYYY-MM-DDThh:mm or YYYY-MM-DDThh:mm:ss, with Z, an offset such as +01:00, or neither.";

const calendars = { "programme.ics": 128, "trips.ics": 47, "apple.ics": 3, "holiday.ics": 1, "exchange.ics": 1 };

describe.each(Object.entries(calendars))("the iCalendar file %s", (file, count) => {
  const organisationId = 10 + Object.keys(calendars).indexOf(file);
  const records = calendarRecords(organisationId, textOf(file));
  const events = textOf(file)
    .replace(/\r?\n[ \t]/g, "")
    .split("BEGIN:VEVENT")
    .slice(1)
    .map((event) => event.split("END:VEVENT")[0] ?? "");
  const escaped = (text: unknown) =>
    String(text)
      .replaceAll(/[\\,;]/g, "\\$&")
      .replaceAll("\n", "\\n");
  const basic = (instant: unknown) => String(instant).replaceAll(/[-:]/g, "");

  test("comes back with each text, time and time zone of its events", async () => {
    await importAll(records);
    await assertServed(organisationId, records);
    const byId = (rows: Row[]) => rows.toSorted((one, other) => one.id - other.id);
    const served = byId(await rowsOf(organisationId, "/v1/events"));
    const dates = byId(await rowsOf(organisationId, "/v1/dates"));
    assert.deepEqual([events.length, served.length, dates.length], [count, count, count]);
    for (const [index, source] of events.entries()) {
      const { tag, name, type, description, date_created, time_zone_id }: Partial<Row> = served[index] ?? {};
      const { date, end_date, name: place }: Partial<Row> = dates[index] ?? {};
      const lines = { UID: tag, SUMMARY: name, CATEGORIES: type, DESCRIPTION: description, LOCATION: place };
      const times = { DTSTAMP: date_created, DTSTART: date, DTEND: end_date };
      const lineOf = (property: string) =>
        new RegExp(`^${property}(?:;(?:"[^"]*"|[^:"])*)?:(.*?)\\r?$`, "m").exec(source);
      for (const [property, value] of Object.entries(lines))
        assert.equal(lineOf(property)?.[1] ?? "", escaped(value ?? ""), property);
      for (const [property, value] of Object.entries(times))
        assert.equal(lineOf(property)?.[1] ?? "", basic(value ?? ""), property);
      if (time_zone_id === null) assert.doesNotMatch(source, /^DTSTART;TZID/m);
      else assert.ok(source.replaceAll('"', "").includes(`\nDTSTART;TZID=${time_zone_id}:`), String(time_zone_id));
    }
  });

  test("may not be sent with its times as they are", async () => {
    const [time = ""] = /(?<=^DTSTART.*:)\d{8}.*$/m.exec(textOf(file)) ?? [];
    await assertRefused(records[1], "date", time.trim(), wrongInstant);
  });
});

describe("the CSV files of passengers and their tickets", () => {
  const [passengers, tickets] = [textOf("passengers.csv"), textOf("tickets.csv")];
  const records = passengerRecords(1, passengers, tickets);
  const cell = (value: unknown) => (/[",]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value);

  beforeAll(() => importAll(records));

  test("come back byte by byte", async () => {
    const people = await rowsOf(1, "/v1/dates/1/attendees");
    const places = new Map((await rowsOf(1, "/v1/dates/1/tickets")).map((ticket) => [ticket.id, ticket]));
    const orders = (await rowsOf(1, "/v1/orders")).toSorted((one, other) => one.id - other.id);
    const rows = people.map(({ id, ticket_category_id, last_name, first_name, answers, ticket_id }) => {
      const given = (answers as { answer: string | null }[]).map(({ answer }) => answer ?? "");
      const name = `${last_name}, ${first_name}`;
      return [id, ticket_category_id, name, ...given, places.get(Number(ticket_id))?.barcode].map(cell).join();
    });
    assert.equal(`${["PassengerId,Pclass,Name,Sex,Age,Ticket", ...rows].join("\n")}\n`, passengers);
    const seats = new Map([...places.values()].map(({ order_id, seat }) => [order_id, seat]));
    const listed = orders.filter(({ admin_note }) => admin_note !== null);
    const bought = listed.map(({ id, reference, admin_note, source }) =>
      [reference, admin_note, seats.get(id) ?? "", source].map(cell).join(),
    );
    assert.equal(["Ticket,Fare,Cabin,Embarked", ...bought].join("\r\n"), tickets);
  });

  test("let each passenger be found by the ticket", async () => {
    for (const { id, barcode, ...ticket } of await rowsOf(1, "/v1/dates/1/tickets")) {
      const found = await rowsOf(1, "/v1/tickets", `&barcode=${encodeURIComponent(String(barcode))}`);
      assert.deepEqual(
        found.find((one) => one.id === id),
        { ...ticket, id, barcode },
      );
      assert.deepEqual([...new Set(found.map((one) => one.barcode))], [barcode]);
    }
  });

  test("may not be sent with their fares as they are, which are not whole pence", async () => {
    const order = records.find(({ data }) => data.admin_note === "56.4958");
    await assertRefused(order, "total", 5649.58, "Invalid input: expected int, received number");
  });
});

describe.each(["sessions.jsonld", "course.jsonld", "class.jsonld"])("the schema.org event in %s", (file) => {
  const organisationId = 20 + file.length;
  const records = sessionRecords(organisationId, textOf(file));
  const source = JSON.parse(textOf(file));

  test("comes back with its dates and offers", async () => {
    await importAll(records);
    await assertServed(organisationId, records);
    const { modified, data } = source.items?.[0] ?? { data: source };
    const [event] = await rowsOf(organisationId, "/v1/events");
    const described = [event?.name, event?.type, event?.description ?? undefined];
    assert.deepEqual(described, [data.name, data["@type"], data.description]);
    assert.equal(event?.tag, String(data.identifier ?? 1));
    assert.equal(event?.date_created === null ? undefined : Date.parse(String(event?.date_created)) / 1_000, modified);
    const offers = await rowsOf(organisationId, `/v1/events/${event?.id}/ticket-categories`);
    assert.deepEqual(
      offers.map(({ name, price }) => ({ name, price: Number(price) / 100, priceCurrency: event?.currency })),
      data.offers.map(({ name, price, priceCurrency }: Row) => ({ name, price, priceCurrency })),
    );
    const dates = (await rowsOf(organisationId, "/v1/dates")).map(({ date, end_date }) => [date, end_date]);
    const [{ startDate, startTime, endTime }] = data.eventSchedule;
    const scheduled = [{ startDate: `${startDate}T${startTime}`, endDate: `${startDate}T${endTime}` }];
    assert.deepEqual(
      dates,
      (data.subEvent ?? scheduled).map(({ startDate, endDate }: Record<string, string>) => [startDate, endDate]),
    );
  });

  test("may not be sent with a time in seconds, a time without a date, or a price with a fraction", async () => {
    const [event, date] = records;
    await assertRefused(event, "date_created", 1521565719, wrongInstant);
    await assertRefused(event, "date_created", "1521565719", wrongInstant);
    await assertRefused(date, "end_date", "20:45", wrongInstant);
    await assertRefused(records.at(-1), "price", 3.3, "Invalid input: expected int, received number");
  });
});
