import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import * as z from "zod";
import { parseLine } from "../../../functions/feed/parseRecord.ts";
import { recordResources } from "../../../functions/resources/index.ts";
import { defaultPerPage } from "../../../functions/resources/page.ts";
import { type Record as InputRecord, recordTypes } from "../../../functions/resources/record.ts";
import { sortableInstant } from "../../../functions/values/instant.ts";
import { organisations } from "../../../local/demo/demoKeys.ts";
import { demoLines, demoRecords, demoRecordsFile } from "../../../local/demo/demoRecords.ts";

const records = demoRecords();

function dataOf<Type extends InputRecord["type"]>(type: Type, organisationId?: number) {
  return records
    .filter((record): record is Extract<InputRecord, { type: Type }> => record.type === type)
    .filter(({ organisation_id }) => organisationId === undefined || organisation_id === organisationId)
    .map((record) => record.data as Extract<InputRecord, { type: Type }>["data"]);
}

test("every line is a record that the importer accepts, and no two have the same organisation, type and id", async () => {
  const text = await readFile(demoRecordsFile, "utf8");
  const lines = text.trimEnd().split("\n");
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine({ number: index + 1, text: line });
    assert.ok("item" in parsed, `line ${index + 1}: ${"problem" in parsed && parsed.problem}`);
  }
  const ids = demoLines().map((line) => {
    const { type, organisation_id } = line;
    return `${organisation_id} ${type} ${"deleted" in line ? line.id : line.data.id}`;
  });
  assert.deepEqual([ids.length, new Set(ids).size], [lines.length, lines.length]);
});

test("the file is small enough to read and compare", async () => {
  assert.ok((await readFile(demoRecordsFile)).length < 250_000 && records.length < 700);
});

for (const type of recordTypes) {
  test(`of ${type} records, every status and flag occurs, and every optional field both set and empty`, () => {
    for (const [field, schema] of Object.entries<z.ZodType>(recordResources[type].schema.shape)) {
      const values = dataOf(type).map((data) => Object.entries(data).find(([name]) => name === field)?.[1]);
      const has = (wanted: unknown) => values.some((value) => isDeepStrictEqual(value, wanted));
      const required = [null, true, false, [], ...(schema instanceof z.ZodEnum ? schema.options : [])];
      for (const value of required.filter((value) => schema.safeParse(value).success)) {
        assert.ok(has(value), `No ${type} in local/demo/records.ndjson has ${field} ${JSON.stringify(value)}.`);
      }
      assert.ok(
        values.some((value) => value !== null && !isDeepStrictEqual(value, [])),
        `No ${type} in local/demo/records.ndjson has a ${field}.`,
      );
    }
  });
}

test("some orders lack a reference, and some questions lack an answer", () => {
  const references = dataOf("order").map(({ reference }) => reference !== "");
  const answers = dataOf("attendee").flatMap((attendee) => attendee.answers.map(({ answer }) => answer !== null));
  for (const given of [references, answers]) assert.deepEqual(new Set(given), new Set([true, false]));
});

/** The values of a field, or null for each record without it. */
function valuesOf(field: string): unknown[] {
  return records.map(({ data }) => Object.entries(data).find(([name]) => name === field)?.[1] ?? null);
}

test("the demo has the values that tools misread when they guess types", () => {
  const texts: Record<string, RegExp> = {
    barcode: /^0\d+$/,
    reference: /^0\d+$/,
    discount_code: /^0\d+$/,
    external_reference: /^0\d+$/,
    seat: /^0\d+$/,
    date: /T\d\d:\d\d$/,
    end_date: /:\d\d-0500$/,
    date_created: /:\d\d-05$/,
    date_modified: /\.\d{7}Z$/,
    last_name: /,.*".*'/,
  };
  for (const [field, form] of Object.entries(texts))
    assert.ok(
      valuesOf(field).some((value) => typeof value === "string" && form.test(value)),
      field,
    );
  assert.ok(valuesOf("reference").some((value) => typeof value === "string" && /^\d+E\d+$/.test(value)));
  assert.ok(valuesOf("percent").some((value) => typeof value === "number" && !Number.isInteger(value)));
});

test("JavaScript can read the time of each organisation's newest order", () => {
  for (const organisationId of [1, 2]) {
    const times = dataOf("order", organisationId).map(({ date_created }) => date_created);
    const newest = times.sort((one, other) => (sortableInstant(one) < sortableInstant(other) ? 1 : -1))[0] ?? "";
    assert.ok(Date.parse(newest) > 0, newest);
  }
});

test("an order has more than 100 tickets, of which only the last has a seat", () => {
  const orders = Map.groupBy(dataOf("ticket", 1), ({ order_id }) => order_id);
  const seats = [...orders.values()].map((tickets) => tickets.map(({ seat }) => seat));
  assert.ok(seats.some((some) => some.length > 100 && some.findIndex((seat) => seat !== null) === some.length - 1));
});

test("two organisations share some ids of each type and have others alone; the third has no data", () => {
  for (const type of recordTypes) {
    const [one, two] = [dataOf(type, 1), dataOf(type, 2)];
    const others = new Map(two.map((row) => [row.id, row]));
    const shared = one.filter(({ id }) => others.has(id));
    assert.ok(shared.length > 0 && shared.length < Math.min(one.length, two.length), type);
    for (const row of shared) assert.notDeepEqual(row, others.get(row.id));
  }
  assert.deepEqual(new Set(records.map((record) => record.organisation_id)), new Set([1, 2]));
  assert.deepEqual(
    organisations.map(({ organisation_id }) => organisation_id),
    [1, 2, 1842],
  );
});

test("the first organisation's events fill more than a page of the default size", () => {
  assert.ok(dataOf("event", 1).length > defaultPerPage);
});

for (const organisationId of [1, 2]) {
  const events = dataOf("event", organisationId);
  const dates = Map.groupBy(dataOf("event_date", organisationId), ({ event_id }) => event_id);
  const categories = Map.groupBy(
    records.flatMap((record) =>
      record.type === "ticket_category" && record.organisation_id === organisationId ? [record] : [],
    ),
    ({ event_id }) => event_id,
  );
  const datesOf = (id: number) => dates.get(id) ?? [];
  const pricesOf = (id: number) => categories.get(id)?.map(({ data }) => data.price) ?? [];
  const kinds: Record<string, (event: (typeof events)[number]) => boolean> = {
    past: (event) => event.buying_enabled === false && datesOf(event.id).some(({ date }) => date < "2026"),
    "on sale": (event) => event.buying_enabled === true && datesOf(event.id).some(({ date }) => date > "2026-11"),
    "sold out": ({ id }) => datesOf(id).length > 0 && datesOf(id).every(({ sold_out }) => sold_out),
    suspended: ({ id }) => datesOf(id).some(({ suspend }) => suspend),
    hidden: (event) => event.unlisted === true && event.private === false,
    private: (event) => event.private === true,
    free: ({ id }) => pricesOf(id).length > 0 && pricesOf(id).every((price) => price === 0),
    "with many dates": ({ id }) => datesOf(id).length > 4,
    "without dates": ({ id }) => datesOf(id).length === 0,
    "without tickets": (event) => pricesOf(event.id).length === 0 && event.ticketing_enabled === false,
    "with categories that have a negative position, share a position, admit several people or are hidden": ({ id }) => {
      const own = categories.get(id)?.map(({ data }) => data) ?? [];
      const places = own.map(({ sort_index }) => sort_index);
      return (
        new Set(places).size < places.length &&
        Math.min(...places) < 0 &&
        own.some(({ people, hidden }) => people > 1 && !hidden) &&
        own.some(({ hidden }) => hidden)
      );
    },
    "not in ASCII": ({ name }) => /[^\x20-\x7e]/.test(name),
  };
  for (const [kind, isKind] of Object.entries(kinds)) {
    test(`organisation ${organisationId} has an event that is ${kind}, and not all are`, () => {
      assert.equal(new Set(events.map(isKind)).size, 2);
    });
  }

  test(`organisation ${organisationId} has several currencies and time zones, and every form of a date`, () => {
    const currencies = new Set(events.map(({ currency_symbol }) => currency_symbol));
    for (const symbol of ["£", "€", "$"]) assert.ok(currencies.has(symbol), symbol);
    assert.ok(new Set(events.map(({ time_zone_id }) => time_zone_id)).size > 4);
    const written = [...dates.values()].flat().map(({ date }) => date);
    for (const form of [/^\d{4}-\d\d-\d\d$/, /T\d\d:\d\d:\d\d$/, /[+-]\d\d:\d\d$/, /Z$/]) {
      assert.ok(written.some(form.test.bind(form)), String(form));
    }
  });
}
