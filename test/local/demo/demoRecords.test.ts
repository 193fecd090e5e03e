import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instantMs } from "../../../functions/resources/instant.ts";
import { Record as InputRecord } from "../../../functions/resources/record.ts";
import { demoProgrammes, demoSales } from "../../../local/demo/demoRecords.ts";

const records = [...demoProgrammes(), ...demoSales()];

function dataOf<Type extends InputRecord["type"]>(type: Type, organisationId: number) {
  return records
    .filter((record): record is Extract<InputRecord, { type: Type }> => record.type === type)
    .filter(({ organisation_id }) => organisation_id === organisationId);
}

function organisation(id: number) {
  return {
    events: dataOf("event", id).map(({ data }) => data),
    dates: dataOf("event_date", id).map(({ data }) => data),
    categories: dataOf("ticket_category", id).map(({ event_id, data }) => ({ event_id, ...data })),
  };
}

/** The fields that are null in some rows. */
function nullFields(rows: object[]): Set<string> {
  return new Set(rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => (value === null ? [name] : []))));
}

test("every record is valid input, and no two are of one organisation, type and id", () => {
  for (const record of records) assert.deepEqual(InputRecord.parse(record), record);
  const ids = records.map(({ type, organisation_id, data }) => `${organisation_id} ${type} ${data.id}`);
  assert.equal(new Set(ids).size, ids.length);
});

test("they are the same every time", () => {
  assert.deepEqual([...demoProgrammes(), ...demoSales()], records);
});

test("ids of the two organisations coincide for some events, dates and categories, with other content, and for some not", () => {
  const [one, two] = [organisation(1), organisation(2)];
  for (const kind of ["events", "dates", "categories"] as const) {
    const others = new Map(two[kind].map((row) => [row.id, row]));
    const shared = one[kind].filter(({ id }) => others.has(id));
    assert.ok(shared.length > 0 && shared.length < one[kind].length && shared.length < two[kind].length, kind);
    for (const row of shared) assert.notDeepEqual(row, others.get(row.id));
  }
});

for (const id of [1, 2]) {
  describe(`organisation ${id}`, () => {
    const { events, dates, categories } = organisation(id);

    test("has about 60 events, on two pages of the default size, and nothing without its event", () => {
      assert.ok(events.length > 50 && events.length < 70);
      const ids = new Set(events.map((event) => event.id));
      assert.ok([...dates, ...categories].every(({ event_id }) => ids.has(event_id)));
    });

    test("has each field that may be null with null and with a value", () => {
      const nullable = {
        events:
          "type description date_created time_zone_id venue_id tour_id currency_symbol unlisted private ticketing_enabled buying_enabled",
        dates: "end_date name sold_out suspend",
        categories: "name description limit minimum_per_order",
      };
      for (const [rows, names] of [
        [events, nullable.events],
        [dates, nullable.dates],
        [categories, nullable.categories],
      ] as const) {
        assert.deepEqual([...nullFields(rows)].toSorted(), names.split(" ").toSorted());
        for (const name of names.split(" ")) {
          assert.ok(rows.some((row) => Object.entries(row).some(([field, value]) => field === name && value !== null)));
        }
      }
    });
  });

  describe(`organisation ${id}, in all its variety,`, () => {
    const { events, dates, categories } = organisation(id);

    test("has events that are past, on sale, sold out, suspended, hidden, private, free, without dates, without categories", () => {
      const datesOf = (eventId: number) => dates.filter(({ event_id }) => event_id === eventId);
      const pricesOf = (eventId: number) =>
        categories.filter(({ event_id }) => event_id === eventId).map(({ price }) => price);
      const kinds: Record<string, (event: (typeof events)[number]) => boolean> = {
        past: (event) => event.buying_enabled === false && datesOf(event.id).some(({ date }) => date < "2026"),
        onSale: (event) => event.buying_enabled === true && datesOf(event.id).every(({ date }) => date > "2026-11"),
        soldOut: (event) => datesOf(event.id).length > 0 && datesOf(event.id).every(({ sold_out }) => sold_out),
        suspended: (event) => datesOf(event.id).some(({ suspend }) => suspend),
        hidden: (event) => event.unlisted === true && event.private === false,
        private: (event) => event.private === true,
        free: (event) => pricesOf(event.id).length > 0 && pricesOf(event.id).every((price) => price === 0),
        multiDate: (event) => datesOf(event.id).length > 4,
        withoutDates: (event) => datesOf(event.id).length === 0,
        withoutCategories: (event) => pricesOf(event.id).length === 0 && event.ticketing_enabled === false,
        notInAscii: (event) => /[^\x20-\x7e]/.test(event.name),
        longText: (event) => (event.description?.length ?? 0) > 3000,
      };
      for (const [kind, isKind] of Object.entries(kinds)) {
        assert.ok(events.some(isKind), kind);
        assert.ok(!events.every(isKind), kind);
      }
    });

    test("has several currencies, time zones, and every form of a date", () => {
      for (const symbol of ["£", "€", "$"]) assert.ok(events.some(({ currency_symbol }) => currency_symbol === symbol));
      assert.ok(new Set(events.map(({ time_zone_id }) => time_zone_id)).size > 4);
      for (const form of [/^\d{4}-\d\d-\d\d$/, /T\d\d:\d\d:\d\d$/, /[+-]\d\d:\d\d$/, /Z$/]) {
        assert.ok(
          dates.some(({ date }) => form.test(date)),
          String(form),
        );
      }
    });

    test("has events created at one instant, and categories that share an order or stand before 0", () => {
      const created = events.flatMap(({ date_created }) => (date_created === null ? [] : [instantMs(date_created)]));
      assert.ok(new Set(created).size < created.length);
      const orders = categories.map(({ event_id, sort_index }) => `${event_id} ${sort_index}`);
      assert.ok(new Set(orders).size < orders.length);
      assert.ok(categories.some(({ sort_index }) => sort_index < 0));
      assert.ok(categories.some(({ people }) => people > 1));
      assert.ok(categories.some(({ hidden }) => hidden));
    });
  });
}
